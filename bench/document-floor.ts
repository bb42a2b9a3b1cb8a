/**
 * The floor under get_competitor made anew: a bare node:http handler that reads one stored document by its key, with a named prepared
 * statement on a pool as large as the service's, and sends it as it is. bench/point-read.ts makes the documents and starts it:
 *
 *   bin/node bench/document-floor.ts DATABASE_URL
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'

const pool = new Pool({ connectionString: process.argv[2] ?? '', max: 8 })
const server = createServer(async (request, reply) => {
  const storeId = /\/ios\/(\d+)/.exec(request.url ?? '')?.[1]
  const { rows } = await pool.query<{ document: string }>({
    name: 'document',
    text: 'select document from documents where store_id = $1',
    values: [storeId],
  })
  const text = rows[0]?.document ?? ''
  reply.writeHead(rows[0] ? 200 : 404, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  reply.end(text)
})
// Its turn may come again only after a while.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void pool.end()
})
