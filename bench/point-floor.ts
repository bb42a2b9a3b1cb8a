import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { Caller } from '../src/api/caller.ts'
import { doorOn } from '../src/app.ts'
import type { Database } from '../src/storage/database.ts'
import { print } from './figures.ts'
import { nobodyAsked } from './stores.ts'

/**
 * The floors under get_competitor, started by bench/point-read.ts:
 *
 *   bin/node bench/point-floor.ts statements DATABASE_URL STORE_ID,STORE_ID,...
 *   bin/node bench/point-floor.ts json DATABASE_URL STORE_ID,STORE_ID,...
 *
 * `statements`: a bare node:http handler that runs the very statements the service runs, as named prepared ones on a pool as
 * large as the service's, and sends the same JSON. `json`: bare Fastify that sends it without asking anybody. Statements are
 * recorded while the service answers once for each app; answers are kept as objects, and made JSON for each request.
 */
const [way, databaseUrl = '', asked = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: 8 })
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

interface Known {
  statements: { name: string; text: string; values: unknown[] }[]
  body: unknown
}

const known = new Map<string, Known>()
for (const storeId of asked.split(',')) {
  seen.length = 0
  const raw = { params: { platform: 'ios', storeId }, query: { country: 'us' }, body: undefined }
  const { body } = await doorOn(db, async () => {}, nobodyAsked).invoke('get_competitor', raw, caller)
  const statements = seen.map(({ sql: text, parameters }) => ({
    name: hash('sha256', text, 'base64url'),
    text,
    values: [...parameters],
  }))
  known.set(storeId, { statements, body })
}
const askedFor = (url: string): Known =>
  known.get(/\/ios\/(\d+)/.exec(url)?.[1] ?? '') ?? { statements: [], body: null }
const tell = (port: number) => print(`ready http://127.0.0.1:${port}`)

if (way === 'statements') {
  const server = createServer(async (request, reply) => {
    const { statements, body } = askedFor(request.url ?? '')
    for (const statement of statements) await pool.query(statement)
    const text = JSON.stringify(body)
    reply.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    reply.end(text)
  })
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port))
  process.once('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
    void pool.end()
  })
} else {
  const server = fastify({ forceCloseConnections: true })
  server.get('/v1/competitors/ios/:storeId', async (request) => askedFor(request.url).body)
  await server.listen({ host: '127.0.0.1', port: 0 })
  tell((server.server.address() as AddressInfo).port)
  process.once('SIGTERM', () => {
    void server.close()
    void pool.end()
  })
}
