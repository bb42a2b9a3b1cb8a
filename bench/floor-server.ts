import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a floor at a free port of this machine, says `ready` with its address, and stops on SIGTERM. */
export function serveFloor(answer: RequestListener): void {
  const server = createServer(answer)
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

/** Sends JSON as it is. */
export function sendJson(reply: ServerResponse, status: number, body: string | Buffer): void {
  reply.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  reply.end(body)
}
