/**
 * The floor under a reply that was made before: a bare node:http that answers everything with so many bytes of JSON.
 *
 *   bin/node bench/bare-http.ts BYTES
 */
import { reportTimes } from './figures.ts'
import { sendJson, serveFloor } from './floor-server.ts'
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
  serveFloor((_, reply) => sendJson(reply, 200, body))
}
