import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sampleApps } from '../sample/apps.ts'
import { sampleLookups } from '../sample/lookups.ts'
import { Rivalscope } from '../src/client/client.ts'
import { methodName, routes, tools } from '../src/client/routes.ts'
import { contract, type Tool } from '../src/contract/contract.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { revokeKeys } from '../src/domain/accounts/queries.ts'
import { importSample } from '../src/imports/import-sample.ts'
import { json, openScriptedServer } from './support/scripted-server.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let server: string
let key: string
let rivalscope: Rivalscope
const parts = new AsyncDisposableStack()
before(async () => {
  world = parts.use(await openWorld({ works: true }))
  const span = { seed: 7, until: '2026-11-20' }
  const someApps = [...sampleLookups(sampleApps(span), span)]
    .filter(({ country }) => country === 'us')
    .slice(0, 5)
  await importSample(world.store.db, someApps, () => {})
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key(undefined, 'demo')
  rivalscope = new Rivalscope({ server, key })
})
after(() => parts.disposeAsync())

test('the client has a method for each operation, and no other', () => {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(rivalscope))
  const own = ['constructor', 'call']
  assert.deepEqual(
    methods.filter((name) => !own.includes(name)).sort(),
    (Object.keys(contract) as Tool[]).map(methodName).sort(),
  )
  assert.deepEqual(tools, Object.keys(contract))
  assert.equal(tools.length, 45)
})

test('a method answers what the operation answers', async () => {
  const expected = await world.call(
    'get_similar_competitors',
    { platform: 'ios', storeId: '9000000150', limit: 3 },
    { key },
  )
  assert.equal(expected.body.items.length, 3)
  const given = { storeId: '9000000150', limit: 3 }
  assert.deepEqual(await rivalscope.getSimilarCompetitors(given), expected.body)
  assert.deepEqual(await rivalscope.getSimilarCompetitors({ ...given, platform: 'ios' }), expected.body)
  assert.deepEqual(await rivalscope.call('get_similar_competitors', given), expected.body)
})

test('every operation gets where it should: nothing of it is refused by name', async () => {
  const unknown: string[] = []
  for (const tool of tools) {
    const {
      params = {},
      query = {},
      body = {},
    } = contract[tool].example as { params?: object; query?: object; body?: object }
    await rivalscope.call(tool, { ...params, ...query, ...body }).catch(({ code, message, errors = [] }) => {
      const named = errors.some((error: { message: string }) => error.message === 'is not known here')
      if (named || ['route-not-found', 'method-not-allowed', undefined].includes(code))
        unknown.push(`${tool}: ${message}`)
    })
  }
  assert.deepEqual(unknown, [])
})

test('its module is served with a type and a tag', async () => {
  const first = await fetch(`${server}/client.js`)
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const etag = first.headers.get('etag') ?? ''
  assert.equal((await fetch(`${server}/client.js`, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await fetch(`${server}/client.js`, { method: 'POST' })).status, 405)
  assert.equal(await first.text(), await readFile(new URL('../dist/client/client.js', import.meta.url), 'utf8'))
})

test('an argument the operation does not know is refused by the service', async () => {
  for (const tool of ['search_competitors', 'refresh_aso_app', 'track_aso_app', 'remove_aso_app'] as const)
    await assert.rejects(
      rivalscope.call(tool, { appId: '019aa0b6-5c00-7000-8000-000000000001', app: '1', role: 'own', typo: 1 }),
      {
        code: 'invalid-request',
      },
    )
})

test('going through a list gives what its pages hold, each item once, in order', async () => {
  const wanted = contract.request_competitor_data.body.shape.kinds.element.options
  for (const country of ['us', 'jp', 'de'] as const)
    await rivalscope.requestCompetitorData({ storeId: '9000000150', kinds: [...wanted], country })
  const whole = await rivalscope.listCompetitorDataRequests({ storeId: '9000000150', limit: 100 })
  assert.equal(whole.items.length, 3 * wanted.length)
  const list = rivalscope.listCompetitorDataRequests({ storeId: '9000000150', limit: 4 })
  assert.deepEqual(await Array.fromAsync(list), whole.items)
  assert.deepEqual(await Array.fromAsync(list), whole.items, 'it can be gone through again')
  assert.equal((await list).items.length, 4, 'and is still a promise of its first page')
  const pages = await Array.fromAsync(list.pages(), ({ items }) => items.length)
  assert.ok(
    pages.every((size, at) => size === 4 || (at === pages.length - 1 && size > 0)),
    `pages of ${pages}`,
  )
})

test('two hundred calls at once are all answered', async () => {
  const asked = Array.from({ length: 200 }, (_, at) => String(9000000000 + at))
  const given = await Promise.all(
    asked.map((storeId) => rivalscope.requestCompetitorData({ storeId, kinds: ['media'] })),
  )
  assert.deepEqual(
    given.map(({ items }) => items[0]?.storeId),
    asked,
  )
})

test('a list that has no pages can be gone through all the same', async () => {
  const { items } = await rivalscope.listCompetitorCategories()
  assert.ok(items.length > 10)
  assert.deepEqual(await Array.fromAsync(rivalscope.listCompetitorCategories()), items)
})

test('a removal answers nothing, however often it is made', async () => {
  const { appId } = await rivalscope.trackAsoApp({ app: '9000000137', country: 'jp', role: 'watched' })
  for (const _ of [1, 2]) assert.equal(await rivalscope.removeAsoApp({ appId }), undefined)
})

test('work is waited for where each operation shows it', async () => {
  const ended = await rivalscope.refreshCompetitorEstimates({ storeId: '9000000074' }).ended()
  assert.ok(ended.finishedAt)
  const run = await rivalscope.discoverEmergingIosCompetitors({ windowDays: 3 }).ended()
  assert.equal(run.windowDays, 3)
  assert.notEqual(run.status, 'running')
})

test('every operation that starts work names where it is shown', () => {
  for (const tool of tools) assert.equal(routes[tool].shownBy !== null, routes[tool].ending === 'accept', tool)
})

test('a key that is revoked while a list is gone through ends it with the problem', async () => {
  const own = await createKey(world.store.db, { name: 'leaving', scopes: ['context:read'] })
  const leaving = new Rivalscope({ server, key: own })
  await assert.rejects(
    async () => {
      for await (const _ of leaving.searchCompetitors({ limit: 1 })) await revokeKeys(world.store.db, 'leaving')
    },
    { code: 'unauthenticated', status: 401 },
  )
})

test('with a session it sends no key, and says that a page of the service calls', async () => {
  await using scripted = await openScriptedServer()
  scripted.plays(json({ items: [], nextCursor: null }))
  await new Rivalscope({ server: scripted.address, session: true }).searchCompetitors()
  const { authorization, 'x-rivalscope-page': page } = scripted.arrived[0]?.headers ?? {}
  assert.deepEqual({ authorization, page }, { authorization: undefined, page: '1' })
  await new Rivalscope({ server: scripted.address, key }).searchCompetitors()
  assert.equal(scripted.arrived[1]?.headers['x-rivalscope-page'], undefined)
})

test('a write that is made again with its key counts once', async () => {
  const again = { idempotencyKey: 'write-1' }
  const track = (options?: object) =>
    rivalscope.requestCompetitorData({ storeId: '9000000151', kinds: ['media'] }, options)
  const first = await track(again)
  assert.deepEqual(await track(again), first)
  const other = rivalscope.requestCompetitorData({ storeId: '9000000152', kinds: ['media'] }, again)
  await assert.rejects(other, { code: 'idempotency-mismatch' })
})
