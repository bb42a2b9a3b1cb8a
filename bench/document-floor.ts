/**
 * The floor under get_competitor made anew: a bare node:http handler that reads one stored document by its key, with a named prepared
 * statement on a pool as large as the service's, and sends it as it is. bench/point-read.ts makes the documents and starts it:
 *
 *   bin/node bench/document-floor.ts DATABASE_URL
 */
import { Pool } from 'pg'
import { sendJson, serveFloor } from './floor-server.ts'

const pool = new Pool({ connectionString: process.argv[2] ?? '', max: 8 })
serveFloor(async (request, reply) => {
  const storeId = /\/ios\/(\d+)/.exec(request.url ?? '')?.[1]
  const { rows } = await pool.query<{ document: string }>({
    name: 'document',
    text: 'select document from documents where store_id = $1',
    values: [storeId],
  })
  sendJson(reply, rows[0] ? 200 : 404, rows[0]?.document ?? '')
})
process.once('SIGTERM', () => void pool.end())
