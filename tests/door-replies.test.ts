import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { createDoor, type Handlers } from '../src/api/door.ts'
import { handlersOn } from '../src/api/handlers/handlers.ts'
import { serverOn } from '../src/app.ts'
import { contract } from '../src/contract/contract.ts'
import type { Contract } from '../src/contract/operation.ts'
import { Problem } from '../src/contract/shapes/problem.ts'
import { withoutSecrets } from '../src/http/logs.ts'
import { openTestStore } from '../src/storage/testing.ts'
import { quietServer } from './support/quiet-server.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const world = parts.use(await openWorld())
const key = await world.key()
const run = promisify(execFile)

const categories = '/v1/competitors/categories'
const get = (url: string, headers: Record<string, string> = {}) =>
  world.request({ method: 'GET', url, headers: { authorization: `Bearer ${key}`, ...headers } })

/** Two operations of no contract: one that breaks, one that makes something. */
const rows = {
  boom: { method: 'GET', path: '/v1/boom', scope: 'context:read', ending: 'read', reply: z.object({}) },
  thing: { method: 'POST', path: '/v1/things', scope: 'content:write', ending: 'record', reply: z.object({}) },
} as unknown as Contract
const testServer = await quietServer(world, parts, {
  door: createDoor(rows, world.store.db, () => ({
    boom: async () => {
      throw Object.assign(new Error('relation "secrets" does not exist'), { statusCode: 404, code: '42P01' })
    },
    thing: async () => ({ created: true, resource: { thing: 1 } }) as never,
  })),
})

test('a read carries an ETag, and 304 without a body while the caller has the newest answer', async () => {
  const first = await get(categories)
  const etag = String(first.headers.etag)
  assert.match(etag, /^"[^"]+"$/)
  assert.equal((await get(categories)).headers.etag, etag)
  for (const known of [etag, `W/${etag}`, `"old", ${etag}`, `"old",W/${etag} , "older"`, '*']) {
    const { status, headers, body } = await get(categories, { 'if-none-match': known })
    assert.deepEqual([status, body, headers.etag], [304, '', etag], known)
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal(headers.vary, 'Authorization, Cookie')
    assert.ok(headers['x-request-id'])
  }
  for (const other of ['"old"', 'old', '', etag.slice(1, -1)])
    assert.equal((await get(categories, { 'if-none-match': other })).status, 200, other)
  const head = await world.request({
    method: 'HEAD',
    url: categories,
    headers: { authorization: `Bearer ${key}`, 'if-none-match': etag },
  })
  assert.equal(head.status, 304)
})

test('once the evidence has changed the old ETag gets the new answer', async () => {
  const before = String((await get(categories)).headers.etag)
  const app = {
    kind: 'software',
    trackId: 123456789,
    trackName: 'Tea Timer',
    primaryGenreId: 6002,
    genreIds: ['6002'],
  }
  const answer = JSON.stringify({ resultCount: 1, results: [app] })
  const { stored } = await world.import({
    kind: 'catalogue',
    paths: ['-'],
    stdin: Readable.from([Buffer.from(answer)]),
    country: 'us',
    observedAt: '2026-03-01T00:00:00Z',
  })
  assert.equal(stored, 1)
  const { status, headers } = await get(categories, { 'if-none-match': before })
  assert.equal(status, 200)
  assert.notEqual(headers.etag, before)
  assert.equal((await get(categories, { 'if-none-match': String(headers.etag) })).status, 304)
})

test('only a read that went well can be answered with 304', async () => {
  for (const url of ['/v1/charts', '/v1/charts?colour=red', '/v1/nothing'])
    assert.ok((await get(url, { 'if-none-match': '*' })).status >= 400, url)
  const stranger = await world.request({ method: 'GET', url: categories, headers: { 'if-none-match': '*' } })
  assert.equal(stranger.status, 401)
  const made = await testServer.inject({
    method: 'POST',
    url: '/v1/things',
    headers: { authorization: `Bearer ${key}`, 'if-none-match': '*' },
  })
  assert.equal(made.statusCode, 201)
})

test('replies are kept only by the caller, and asked again each time', async () => {
  const { headers } = await get(categories)
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'Authorization, Cookie')
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
})

test('every reply has a request id of its own, whatever id the caller sends', async () => {
  const ids = new Set<string>()
  for (const url of [
    categories,
    '/v1/charts?colour=red',
    '/v1/nothing',
    '/v1/competitors/ios/%zz',
    '/healthz',
    '/docs/reference',
  ]) {
    const { headers, body } = await get(url, { 'x-request-id': 'mine', 'request-id': 'mine' })
    const id = headers['x-request-id'] ?? ''
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, url)
    if (body.code) assert.equal(body.requestId, id)
    ids.add(id)
  }
  assert.equal(ids.size, 6)
})

test('every reply forbids browsers to guess, frame, run or load anything from it', async () => {
  for (const url of [categories, '/v1/nothing', '/v1/competitors/ios/%zz', '/healthz', '/metrics']) {
    const { headers } = await get(url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    assert.match(
      headers['content-security-policy'] ?? '',
      /^default-src 'none';\s*frame-ancestors 'none'$/,
      url,
    )
    assert.equal(headers['x-powered-by'], undefined)
    assert.equal(headers.server, undefined)
  }
  assert.match(
    (await get('/docs/reference')).headers['content-security-policy'] ?? '',
    /^default-src 'none'; script-src 'self'/,
  )
})

test('no page of another origin may read a reply unless that origin is configured', async () => {
  const origin = 'https://app.test'
  const closed = await get(categories, { origin })
  for (const name of Object.keys(closed.headers)) assert.doesNotMatch(name, /^access-control-/)

  await using stack = new AsyncDisposableStack()
  const config = { rateLimit: 0, tokenIssuer: undefined, logLevel: 'silent', media: world.archive.store }
  const server = await serverOn(
    world.store,
    world.enqueue,
    world.collecting,
    { ...config, corsOrigins: [origin] },
    stack,
  )
  const authorization = `Bearer ${key}`
  const open = await server.inject({ method: 'GET', url: categories, headers: { origin, authorization } })
  assert.equal(open.headers['access-control-allow-origin'], origin)
  assert.equal(open.headers['access-control-allow-credentials'], undefined)
  for (const name of ['etag', 'x-request-id', 'ratelimit', 'retry-after', 'idempotency-replayed'])
    assert.ok(String(open.headers['access-control-expose-headers']).includes(name), name)
  assert.deepEqual(String(open.headers.vary).split(', ').sort(), ['Authorization', 'Cookie', 'Origin'])
  const refused = await server.inject({ method: 'GET', url: '/v1/nothing', headers: { origin } })
  assert.equal(refused.headers['access-control-allow-origin'], origin, 'a page can read problems too')

  const stranger = await server.inject({
    method: 'GET',
    url: categories,
    headers: { origin: 'https://evil.test', authorization },
  })
  assert.equal(stranger.headers['access-control-allow-origin'], undefined)
  assert.match(String(stranger.headers.vary), /Origin/)

  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    const preflight = await server.inject({
      method: 'OPTIONS',
      url: '/v1/aso/apps/01890000-0000-7000-8000-000000000000',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })
    assert.equal(preflight.statusCode, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], origin)
    assert.ok(String(preflight.headers['access-control-allow-methods']).split(', ').includes(method), method)
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization.*idempotency-key/)
  }
  const unpreflighted = await server.inject({ method: 'OPTIONS', url: categories, headers: { origin } })
  assert.ok(unpreflighted.statusCode < 500)
})

test('keys, tokens and passwords are taken out of any text', () => {
  const secret = `rsk_${'Ab1-_'.repeat(8)}xyz`
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'
  for (const [text, clean] of [
    [`no key ${secret}.`, 'no key rsk_[redacted].'],
    [`Authorization: Bearer ${secret}`, 'Authorization: Bearer [redacted]'],
    [`authorization: bearer ${jwt}, next`, 'authorization: Bearer [redacted], next'],
    [
      'https://graph.test/ads?q=tea&access_token=abc123&limit=5',
      'https://graph.test/ads?q=tea&access_token=[redacted]&limit=5',
    ],
    [`redirected to /home#id=${jwt}`, 'redirected to /home#id=[redacted]'],
    [
      '/v1/charts?key=abc&token=def&client_secret=x',
      '/v1/charts?key=[redacted]&token=[redacted]&client_secret=[redacted]',
    ],
    ['postgres://user:pa55:w0rd@db.test/x', 'postgres://user:[redacted]@db.test/x'],
    ['nothing to hide: 5 o clock', 'nothing to hide: 5 o clock'],
  ] as const)
    assert.equal(withoutSecrets(text), clean)
})

test('no key or token reaches the log, and requests and faults do', async () => {
  const { stderr, stdout } = await run(process.execPath, ['--input-type=module', '-e', logging])
  assert.equal(stdout, '', 'standard output belongs to what a command answers')
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.doesNotMatch(stderr, /topsecret/i)
  assert.equal(lines.filter(({ msg }) => msg === 'answered').length, 4)
  const fault = lines.find(({ msg }) => msg === 'request failed')
  assert.match(fault.err.message, /^the store said no to rsk_\[redacted\] at postgres:\/\/me:\[redacted\]@db/)
  assert.match(fault.err.stack, /Error: the store said no/)
  assert.ok(lines.some(({ msg, reqId }) => msg === 'answered' && reqId === fault.reqId))
})

const src = (path: string) => JSON.stringify(fileURLToPath(new URL(`../src/${path}`, import.meta.url)))
const logging = `
import { createDoor } from ${src('api/door.ts')}
import { createLogger } from ${src('http/logs.ts')}
import { createServer } from ${src('http/server.ts')}
const logger = createLogger('debug')
const row = { method: 'GET', path: '/v1/boom', scope: 'context:read', ending: 'read' }
const caller = { credentialId: 'c', accountId: 'a', scopes: new Set(['context:read']) }
const fail = () => { throw new Error('the store said no to rsk_TopSecret_TopSecret at postgres://me:topsecret@db/x', { cause: new Error('Bearer topsecret.topsecret') }) }
const server = await createServer({
  door: createDoor({ boom: row }, undefined, () => ({ boom: async () => fail() })),
  credentials: { callerOf: async () => caller }, repeats: {}, rateLimit: undefined,
  logger, corsOrigins: [], unready: async () => undefined,
})
const authorization = 'Bearer rsk_TopSecret_TopSecret'
for (const url of ['/v1/boom', '/v1/nothing?key=topsecret', '/healthz?x=rsk_TopSecret_TopSecret', '/v1/%zz?token=topsecret'])
  await server.inject({ url, headers: { authorization, cookie: 'session=topsecret' } })
logger.error({ authorization: 'topsecret', request: { headers: { authorization: 'topsecret' } }, source: { token: 'topsecret', secret: 'topsecret' } }, 'by hand')
`

test('a fault of the service says nothing of its cause, only the id under which the log has it', async () => {
  const reply = await testServer.inject({ url: '/v1/boom', headers: { authorization: `Bearer ${key}` } })
  const problem = Problem.parse(reply.json())
  assert.deepEqual([reply.statusCode, problem.status, problem.code], [500, 500, 'internal'])
  assert.match(String(reply.headers['content-type']), /^application\/problem\+json/)
  assert.equal(problem.requestId, reply.headers['x-request-id'])
  assert.doesNotMatch(reply.payload, /relation|secrets|42P01|\.ts|stack/)
})

test('stopping waits for requests under way, but not for connections that say nothing', async () => {
  await using stack = new AsyncDisposableStack()
  const config = {
    rateLimit: 0,
    tokenIssuer: undefined,
    logLevel: 'silent',
    media: world.archive.store,
    corsOrigins: [],
  }
  const server = await serverOn(world.store, world.enqueue, world.collecting, config, stack)
  const release = Promise.withResolvers<void>()
  server.addHook('onSend', () => release.promise)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const silent = connect({ host: '127.0.0.1', port: Number(new URL(address).port) })
  silent.on('error', () => {})
  await once(silent, 'connect')
  const underWay = fetch(address + categories, { headers: { authorization: `Bearer ${key}` } })
  await once(server.server, 'request')
  const stopped = server.close()
  // At its longest a stop would cut off what is under way, too.
  if (!silent.closed) await once(silent, 'close')
  release.resolve()
  assert.equal((await underWay).status, 200)
  await stopped
})

test('health says that the process lives, readiness that its store answers', async () => {
  await using store = await openTestStore()
  await using stack = new AsyncDisposableStack()
  const config = {
    rateLimit: 0,
    tokenIssuer: undefined,
    logLevel: 'silent',
    media: world.archive.store,
    corsOrigins: [],
  }
  const server = await serverOn(store, world.enqueue, world.collecting, config, stack)
  const status = async (url: string) => (await server.inject(url)).statusCode
  assert.deepEqual([await status('/healthz'), await status('/readyz')], [200, 200])
  await store.requests.db.destroy()
  assert.equal(await status('/healthz'), 200)
  const ready = await server.inject('/readyz')
  assert.deepEqual([ready.statusCode, ready.json().code], [503, 'unavailable'])
  assert.ok(Number(ready.headers['retry-after']) > 0)
  const read = await server.inject({ url: categories, headers: { authorization: `Bearer ${key}` } })
  assert.deepEqual([read.statusCode, read.json().code], [503, 'unavailable'])
})

test('a worker of a cluster that is lost under a statement means that the store is away', async () => {
  await using own = await openWorld()
  const ask = () => own.call('request_competitor_data', { platform: 'ios', storeId: '7', kinds: ['record'] })
  assert.equal((await ask()).status, 201)
  await sql
    .raw(`
      create function lost() returns trigger language plpgsql as
        $$ begin raise 'failure on connection marked as essential: worker:5432' using errcode = 'XX000'; end $$;
      create trigger lost before insert or update on data_requests execute function lost()`)
    .execute(own.store.db)
  const { status, body } = await ask()
  assert.deepEqual([status, body.code], [503, 'unavailable'])
})

test('the metrics count requests by operation and status, without a credential', async () => {
  const count = async () => {
    const { status, headers, body } = await world.request<string>({ method: 'GET', url: '/metrics' })
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/plain; version=/)
    const of = (labels: string) =>
      Number(
        new RegExp(`^rivalscope_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(body)?.[1] ??
          0,
      )
    assert.match(body, /^process_cpu_seconds_total /m)
    assert.ok(!body.includes(key))
    return [
      of('tool="get_apple_charts",status="404"'),
      of('tool="get_apple_charts",status="401"'),
      of('tool="none",status="404"'),
    ]
  }
  const [missed = 0, strange = 0, lost = 0] = await count()
  await get('/v1/charts')
  await get('/v1/charts')
  await world.request({ method: 'GET', url: '/v1/charts' })
  await get('/v1/no/such/place')
  assert.deepEqual(await count(), [missed + 2, strange + 1, lost + 1])
})

test('every operation of the contract has its handler, and without one of them nothing compiles', () => {
  const handlers = handlersOn(world.store.db, world.enqueue, world.collecting)
  assert.deepEqual(Object.keys(handlers).sort(), Object.keys(contract).sort())
  const { search_competitors: leftOut, ...others } = handlers
  // @ts-expect-error search_competitors has no handler
  const wanting: Handlers<typeof contract> = others
  // @ts-expect-error a handler answers what its row says
  const wrong: Handlers<typeof contract> = { ...others, search_competitors: async () => ({ items: 'many' }) }
  // @ts-expect-error nothing stands in the place of a handler
  const hollow: Handlers<typeof contract> = { ...others, search_competitors: Symbol('later') }
  const whole: Handlers<typeof contract> = { ...others, search_competitors: leftOut }
  assert.deepEqual(
    [wanting, wrong, hollow, whole].map((table) => Object.keys(table).length),
    [44, 45, 45, 45],
  )
})
