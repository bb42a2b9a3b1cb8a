import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChartRanksReply } from '../src/api/chart-ranks.ts'
import { chartFeed } from './support/chart-feed.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
let key: string
before(async () => {
  world = await openWorld()
  key = await world.key(['context:read'])
  await capture({
    '2026-01-15T12:00:00Z': [9, 8],
    '2026-02-27T12:00:00Z': [1, 2, 3],
    '2026-03-01T09:00:00Z': [3, 1, 2],
    '2026-03-01T18:00:00Z': [2, 1],
    '2026-03-02T12:00:00Z': [2, 3, 4],
  })
})
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

/** Stores captures of the chart of free apps, as feeds of `rss.marketingtools.apple.com`. */
async function capture(captures: Record<string, readonly number[]>) {
  const paths = Object.entries(captures).map(([updated, ids], index) =>
    folder.write(`${index}.json`, chartFeed('us', updated, ids)),
  )
  const { rejected } = await importInto(world, { kind: 'charts', paths })
  assert.equal(rejected, 0)
}

const chart = 'country=us&chart=top-free&categoryId=36&device=iphone'
const ask = (query: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
  world.request<ChartRanksReply & { code: string; errors: { pointer: string }[] }>({
    url: `/chart-ranks?${query}`,
    headers,
  })
const captured = ({ days }: ChartRanksReply) =>
  days.flatMap(({ date, capture }) => (capture ? [[date, capture.places, capture.observedAt]] : []))

test('the thirty days before the newest capture have the last capture of each, and the ranks of its apps', async () => {
  const { status, body } = await ask(chart)
  assert.equal(status, 200)
  assert.equal(body.days.length, 30)
  assert.deepEqual([body.days[0]?.date, body.days.at(-1)?.date], ['2026-02-01', '2026-03-02'])
  assert.deepEqual(captured(body), [
    ['2026-02-27', 3, '2026-02-27T12:00:00.000Z'],
    ['2026-03-01', 2, '2026-03-01T18:00:00.000Z'],
    ['2026-03-02', 3, '2026-03-02T12:00:00.000Z'],
  ])
  assert.deepEqual(
    body.apps.map(({ storeId, ranks }) => [storeId, ranks.slice(-4)]),
    [
      ['2', [2, null, 1, 1]],
      ['3', [3, null, null, 2]],
      ['4', [null, null, null, 3]],
    ],
  )
  assert.deepEqual(
    body.sources.map(({ source, country }) => [source, country]),
    [['apple-rss-v2', 'us']],
  )
})

test('each day is what get_apple_charts answers for it', async () => {
  const { body } = await ask(chart)
  for (const [index, { date, capture: kept }] of body.days.entries()) {
    if (!kept) continue
    const { items, capturedAt } = (await world.call('get_apple_charts', { country: 'us', date }, { key })).body
    assert.equal(kept.observedAt, capturedAt)
    const ranks = new Map(
      items.map(({ app, rank }: { app: { storeId: string }; rank: number }) => [app.storeId, rank]),
    )
    for (const { storeId, ranks: told } of body.apps)
      assert.equal(told[index], ranks.get(storeId) ?? null, `${storeId} on ${date}`)
  }
})

test('a month ends with another day, also one without a capture; a chart that nobody stored has no day', async () => {
  const { body } = await ask(`${chart}&until=2026-02-28`)
  assert.deepEqual([body.days.length, body.days.at(-1)?.date], [30, '2026-02-28'])
  assert.deepEqual(captured(body), [['2026-02-27', 3, '2026-02-27T12:00:00.000Z']])
  assert.deepEqual(body.apps[0]?.ranks.slice(-2), [1, null])
  for (const until of ['', '&until=2026-02-28']) {
    const { body: none } = await ask(`${chart.replace('us', 'de')}${until}`)
    assert.deepEqual(none, { days: [], sources: [], apps: [] })
  }
})

test('what is unchanged is answered with 304', async () => {
  const { headers } = await ask(chart)
  const again = await ask(chart, { authorization: `Bearer ${key}`, 'if-none-match': String(headers.etag) })
  assert.equal(again.status, 304)
})

test('bad input and bad credentials are refused by name', async () => {
  const refused = async (query: string) => {
    const { status, body } = await ask(query)
    return [status, body.code, body.errors[0]?.pointer]
  }
  assert.deepEqual(await refused(chart.replace('us', 'xx')), [400, 'invalid-request', '/query/country'])
  assert.deepEqual(await refused(chart.replace('36', 'x')), [400, 'invalid-request', '/query/categoryId'])
  assert.deepEqual(await refused(`${chart}&until=2026-02-30`), [400, 'invalid-request', '/query/until'])
  assert.deepEqual(await refused(`${chart}&chart=top-paid`), [400, 'invalid-request', '/query/chart'])
  assert.deepEqual(await refused('country=us'), [400, 'invalid-request', '/query/chart'])
  assert.deepEqual(await refused(`${chart}&limit=3`), [400, 'invalid-request', '/query/limit'])
  assert.equal((await ask(chart, {})).status, 401)
  const writer = await world.key(['content:write'])
  assert.equal((await ask(chart, { authorization: `Bearer ${writer}` })).status, 403)
})
