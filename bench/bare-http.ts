/**
 * The floor under a reply that was made before: a bare node:http that answers everything with so many bytes of JSON.
 *
 *   bin/node bench/bare-http.ts BYTES
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportTimes } from './figures.ts'
import { Client } from './load.ts'
import { inTurns, secondsOfPostgres } from './processor.ts'
import { type Served, startProcess } from './service.ts'

/**
 * Asks a service for the same again and again while nothing is stored, in turns with the floor, one request at a time.
 * @param postmaster of the PostgreSQL whose processor time is the service's
 */
export async function askAgain(
  name: string,
  path: string,
  service: Served,
  postmaster: number,
  turns: number,
): Promise<void> {
  const times = 200
  const again = Array.from({ length: times }, () => path)
  using client = new Client(service.address, service.key, 1)
  const bytes = await client.get(path)
  await using bare = await startProcess([process.execPath, import.meta.filename, String(bytes)])
  using toBare = new Client(bare.address, service.key, 1)
  const taken = await inTurns(turns, {
    ours: {
      perform: async () => void (await client.timesOf(again)),
      seconds: () => service.cpuMs() / 1_000 + secondsOfPostgres(postmaster),
    },
    bare: { perform: async () => void (await toBare.timesOf(again)), seconds: () => bare.cpuMs() / 1_000 },
  })
  reportTimes(`equal ${name} again`, 'bare node:http', 4, { ...taken, each: times, unit: 'ms' })
}

if (import.meta.main) {
  const body = Buffer.from(`"${'x'.repeat(Math.max(0, Number(process.argv[2]) - 2))}"`)
  const server = createServer((_, reply) => {
    reply.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.byteLength,
    })
    reply.end(body)
  })
  // Its turn may come again only after a while.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  )
  process.once('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
  })
}
