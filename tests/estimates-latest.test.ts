import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { openFolder } from './support/files.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
let agent: McpClient
before(async () => {
  world = await openWorld()
  agent = await connectMcp(await world.server.listen({ host: '127.0.0.1', port: 0 }), await world.key())
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const day = (number: number) => new Date(Date.UTC(2026, 2, number)).toISOString().slice(0, 10)

/** Captures of a chart on days, in which apps 1000 to 1099 stand in order, with one app at a rank. */
async function captured(chart: string, days: readonly number[], app: number, rank: number | undefined) {
  const others = Array.from({ length: 99 }, (_, index) => 1_000 + index)
  const apps = rank === undefined ? [...others, 1_099] : others.toSpliced(rank - 1, 0, app)
  const places = days.flatMap((number) =>
    apps.map((id, index) => ({
      country: 'us',
      chart,
      category: '36',
      capturedAt: `${day(number)}T12:00:00Z`,
      whole: true,
      rank: index + 1,
      id,
      name: `App ${id}`,
    })),
  )
  const { rejected } = await world.import({
    kind: 'charts',
    paths: [folder.write('places.json', JSON.stringify(places))],
  })
  assert.equal(rejected, 0)
}

const refresh = (storeId: number, at: string) =>
  refreshEstimates(world.store.db, { storeId: String(storeId), country: 'us' }, new Date(at))

const history = async (storeId: number, more: object = {}) =>
  (await world.call('get_competitor_estimate_history', { platform: 'ios', storeId: String(storeId), ...more }))
    .body

test('the history begins with the latest range of each metric, from what and until when, also where its window has none', async () => {
  await captured('top-free', [1, 2], 501, 4)
  await captured('top-free', [120, 150, 200, 240], 501, undefined)
  await refresh(501, `${day(241)}T00:00:00Z`)
  const { latest, points, ...body } = await history(501)
  assert.ok(
    points.every(({ estimate }) => estimate.state === 'not-measured'),
    'the newest ninety days have no number',
  )
  const [downloads, revenue] = latest
  assert.equal(downloads.metric, 'downloads')
  assert.equal(downloads.estimate.state, 'estimated')
  assert.equal(downloads.estimate.method, 'chart-rank')
  assert.match(downloads.estimate.validation, /not validated/)
  assert.deepEqual(downloads.startsFrom, { chart: 'us top-free 36 iphone', rank: 4, on: day(2) })
  assert.equal(downloads.observedAt, `${day(2)}T12:00:00.000Z`)
  assert.equal(body.sources[downloads.source]?.origin, 'imported')
  assert.equal(downloads.chartsSeenUntil, day(240))
  assert.ok(downloads.date < body.from, downloads.date)
  assert.equal(revenue.metric, 'revenue')
  assert.deepEqual([revenue.date, revenue.startsFrom, revenue.estimate.state], [null, null, 'not-measured'])
  const kinds = downloads.surer.map(({ kind }: { kind: string }) => kind)
  assert.ok(!kinds.includes('estimate-again'), 'all charts were read')
  assert.match(
    downloads.surer.find(({ kind }: { kind: string }) => kind === 'newer-chart')?.text ?? '',
    new RegExp(`Days until ${day(240)} were estimated, and none after ${downloads.date} had a range`),
  )
  assert.deepEqual(Object.keys((await history(501, { metric: 'revenue' })).latest), ['0'])
  const within = await history(501, { from: day(1), to: day(1) })
  assert.equal(within.latest[0].date, downloads.date, 'whatever window is asked for')
})

test('it says what would make the range surer, by what is missing', async () => {
  await captured('top-free', [250, 251], 502, 9)
  await refresh(502, `${day(251)}T20:00:00Z`)
  const kinds = ({ surer }: { surer: { kind: string }[] }) => surer.map(({ kind }) => kind)
  const [fresh] = (await history(502)).latest
  assert.equal(fresh.date, day(251))
  assert.ok(kinds(fresh).includes('own-sales'), JSON.stringify(fresh.surer))
  assert.ok(!kinds(fresh).includes('estimate-again'))
  assert.match(fresh.surer.find(({ kind }: { kind: string }) => kind === 'ratings').text, /ratings/)
  await captured('top-free', [260], 502, 12)
  const [behind] = (await history(502)).latest
  assert.equal(behind.chartsSeenUntil, day(260))
  assert.match(
    behind.surer.find(({ kind }: { kind: string }) => kind === 'estimate-again').text,
    /refresh_competitor_estimates/,
  )
  const [, revenue] = (await history(502)).latest
  assert.match(
    revenue.surer.find(({ kind }: { kind: string }) => kind === 'missing-chart').text,
    /us top-grossing 36 iphone/,
  )
})

test('an agent has the answer in one call of at most 5 kB', async () => {
  await captured(
    'top-free',
    Array.from({ length: 60 }, (_, index) => 300 + index),
    503,
    20,
  )
  await captured(
    'top-grossing',
    Array.from({ length: 60 }, (_, index) => 300 + index),
    503,
    20,
  )
  await refresh(503, `${day(360)}T00:00:00Z`)
  for (const metric of ['downloads', undefined]) {
    const { reply } = await agent.call('get_competitor_estimate_history', {
      storeId: '503',
      ...(metric ? { metric } : {}),
    })
    assert.deepEqual(Object.keys(reply).slice(0, 5), ['asOf', 'app', 'country', 'alsoIn', 'latest'])
    const [latest] = reply.latest
    assert.ok(latest.estimate.low < latest.estimate.mid && latest.surer.length > 0)
    assert.equal(reply.points.at(-1).date, latest.date)
    const bytes = Buffer.byteLength(JSON.stringify(reply))
    assert.ok(bytes <= 5_000, `${bytes} bytes`)
  }
})
