import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { doorOn } from '../src/app.ts'
import { quietServer } from './support/quiet-server.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const world = parts.use(await openWorld({ rateLimit: 100 }))
const { db } = world.store
const reader = await world.key(['context:read'], 'reader')

interface Answer {
  read: number
  status: number
  etag?: string
  body?: { code?: string; items?: { appId: string }[] }
}

const addressOf = (reads: readonly string[]) =>
  `/reads?${new URLSearchParams(reads.map((read): [string, string] => ['read', read]))}`

async function bundle(reads: readonly string[], headers: Record<string, string> = {}, server = world.server) {
  const reply = await server.inject({
    url: addressOf(reads),
    headers: { authorization: `Bearer ${reader}`, ...headers },
  })
  assert.equal(reply.statusCode, 200, reply.body)
  const answers = reply.body
    .split('\n')
    .slice(0, -1)
    .map((line): Answer => JSON.parse(line))
  return { headers: reply.headers, answers: answers.toSorted((a, b) => a.read - b.read) }
}

/** What is refused as a whole. */
async function refused(url: string, headers: Record<string, string> = { authorization: `Bearer ${reader}` }) {
  const { statusCode, body } = await world.server.inject({ url, headers })
  const { code, errors } = JSON.parse(body)
  return [statusCode, code, errors?.[0]?.pointer]
}

const categories = '/v1/competitors/categories?country=us'
const unknownApp = '/v1/competitors/ios/9000000001?country=us'

test('each read of a bundle has the status, the body and the ETag that it has alone', async () => {
  const { headers, answers } = await bundle([categories, unknownApp, '/v1/charts?colour=red', '/v1/nowhere'])
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8')
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body?.code]),
    [
      [200, undefined],
      [404, 'competitor-not-found'],
      [400, 'invalid-request'],
      [404, 'route-not-found'],
    ],
  )
  const alone = await world.server.inject({ url: categories, headers: { authorization: `Bearer ${reader}` } })
  assert.deepEqual(answers[0]?.body, JSON.parse(alone.body))
  assert.equal(answers[0]?.etag, alone.headers.etag)
})

test('a reply that the caller holds is answered with 304 and no body, the others as before', async () => {
  const reads = [categories, '/v1/aso/apps']
  const [held] = (await bundle(reads)).answers
  const again = await bundle(reads, { 'if-none-match': String(held?.etag) })
  assert.deepEqual(
    again.answers.map(({ status, body }) => [status, body !== undefined]),
    [
      [304, false],
      [200, true],
    ],
  )
})

test('each read needs its own scope, and a credential that is good is needed for the whole', async () => {
  const writer = await world.key(['content:write'], 'reader')
  const { answers } = await bundle([categories], { authorization: `Bearer ${writer}` })
  assert.deepEqual([answers[0]?.status, answers[0]?.body?.code], [403, 'scope-missing'])
  assert.deepEqual(await refused(addressOf([categories]), {}), [401, 'unauthenticated', undefined])
})

test('a bundle is packed as its reader accepts it, and its lines are the same', async () => {
  const reads = [categories, '/v1/aso/apps']
  const lines = async (accepted: string) => {
    const { headers, rawPayload } = await world.server.inject({
      url: addressOf(reads),
      headers: { authorization: `Bearer ${reader}`, 'accept-encoding': accepted },
    })
    const encoding = headers['content-encoding']
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)]
    const text = (unpack ? unpack(rawPayload) : rawPayload).toString()
    const answers: Answer[] = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    return [encoding, answers.toSorted((a, b) => a.read - b.read).map(({ status, etag }) => [status, etag])]
  }
  const [, alone] = await lines('identity')
  assert.deepEqual(await lines('gzip, br'), ['br', alone])
  assert.deepEqual(await lines('gzip, br;q=0'), ['gzip', alone])
  assert.deepEqual(await lines('zstd'), [undefined, alone])
})

test('accounts do not see what others track', async () => {
  const appId = await storeTracked(world, { storeId: '9000000001', account: 'reader' })
  const other = await world.key(['context:read'], 'other')
  const appIds = async (key: string) => {
    const [apps] = (await bundle(['/v1/aso/apps'], { authorization: `Bearer ${key}` })).answers
    return apps?.body?.items?.map((app) => app.appId)
  }
  assert.deepEqual([await appIds(reader), await appIds(other)], [[appId], []])
})

test('every read counts as a request, and those beyond the limit are answered so one by one', async () => {
  const key = await world.key(['context:read'], 'counted')
  const authorization = `Bearer ${key}`
  const reads = Array.from({ length: 40 }, () => categories)
  for (let times = 0; times < 2; times++) await bundle(reads, { authorization })
  const { answers } = await bundle(reads, { authorization })
  assert.equal(answers.filter(({ status }) => status === 200).length, 20)
  assert.deepEqual([...new Set(answers.map(({ body }) => body?.code))].toSorted(), ['rate-limited', undefined])
})

test('what is no address of a read is refused as a whole, before anything is read', async () => {
  for (const read of [
    '/keys',
    '/v1',
    '/v1/../keys',
    '/v1/%2e%2e/keys',
    '//example.com/v1/x',
    'https://x/v1/',
    '',
  ])
    assert.deepEqual(
      await refused(addressOf([categories, read])),
      [400, 'invalid-request', '/query/read/1'],
      read,
    )
  for (const url of ['/reads', addressOf(Array.from({ length: 41 }, () => categories))])
    assert.deepEqual(await refused(url), [400, 'invalid-request', '/query/read'])
  assert.deepEqual(await refused('/reads?read=/v1/charts&tool=x'), [400, 'invalid-request', '/query/tool'])
  const { statusCode, headers } = await world.server.inject({ method: 'POST', url: '/reads', payload: {} })
  assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD'])
})

test('a full bundle begins no further read, and says so of those it left out', async () => {
  const server = await quietServer(world, parts, {
    door: doorOn(db, world.enqueue, world.collecting),
    bundleLimits: { reads: 3, atOnce: 1, bytes: 10 },
  })
  const { answers } = await bundle([categories, categories, categories], {}, server)
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body?.code]),
    [
      [200, undefined],
      [503, 'unavailable'],
      [503, 'unavailable'],
    ],
  )
})
