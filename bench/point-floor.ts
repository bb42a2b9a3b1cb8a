import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { Caller } from '../src/api/caller.ts'
import { doorOn } from '../src/app.ts'
import type { Database } from '../src/storage/database.ts'
import { print } from './figures.ts'

/** These workloads ask no upstream. */
const nobodyAsked = undefined as never

/**
 * The floor under get_competitor: a bare node:http handler that runs the very statements the service runs, with a
 * pool as large as the service's, and sends the same JSON. Started by bench/point-read.ts:
 *
 *   node bench/point-floor.ts DATABASE_URL STORE_ID,STORE_ID,...
 *
 * The statements are recorded while the service answers once for each app; the answers are kept as objects and
 * serialised to JSON for each request.
 */
const [databaseUrl = '', asked = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: 10 })
const caller: Caller = {
  credentialId: 'floor',
  accountId: '00000000-0000-0000-0000-000000000000',
  scopes: new Set(['context:read']),
  bringsEvidence: true,
  door: 'http',
}

const seen: CompiledQuery[] = []
const db: Database = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: (event) => void seen.push(event.query),
})
const known = new Map<string, { statements: { text: string; values: unknown[] }[]; body: unknown }>()
for (const storeId of asked.split(',')) {
  seen.length = 0
  const raw = { params: { platform: 'ios', storeId }, query: { country: 'us' }, body: undefined }
  const { body } = await doorOn(db, async () => {}, nobodyAsked).invoke('get_competitor', raw, caller)
  known.set(storeId, {
    statements: seen.map((query) => ({ text: query.sql, values: [...query.parameters] })),
    body,
  })
}

const server = createServer(async (request, reply) => {
  const storeId = /\/ios\/(\d+)/.exec(request.url ?? '')?.[1] ?? ''
  const { statements, body } = known.get(storeId) ?? { statements: [], body: null }
  for (const statement of statements) await pool.query(statement)
  const text = JSON.stringify(body)
  reply.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  reply.end(text)
})
server.listen(0, '127.0.0.1', () => print(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void pool.end()
})
