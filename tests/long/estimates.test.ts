import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { calibrateCharts, whyCalibrationUnused } from '../../src/domain/estimates/calibrate.ts'
import { rankModelsOf } from '../../src/domain/estimates/rank-models.ts'
import {
  estimateRefresh,
  performEstimateRefresh,
  refreshEstimates,
} from '../../src/domain/estimates/refresh.ts'
import { maxAttempts, workTask } from '../../src/jobs/work-tasks.ts'
import { rows } from '../../src/storage/database.ts'
import { openFolder } from '../support/files.ts'
import { operate } from '../support/operator.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

interface Capture {
  country?: string
  chart?: string
  category?: string
  day: string
  /** Store ids in the order of their places; a number alone leaves its place to nobody. */
  apps: readonly (number | null)[]
}

/** Brings captures of charts, each taken at noon UTC. */
async function chart(world: World, captures: readonly Capture[]) {
  const places = captures.flatMap(({ country = 'us', chart = 'top-free', category = '36', day, apps }) =>
    apps.flatMap((id, index) =>
      id === null
        ? []
        : [
            {
              country,
              chart,
              category,
              capturedAt: `${day}T12:00:00Z`,
              // A place that nobody is told to have is no gap of a list.
              whole: true,
              rank: index + 1,
              id,
              name: `App ${id}`,
            },
          ],
    ),
  )
  const summary = await world.import({
    kind: 'charts',
    paths: [folder.write('places.json', JSON.stringify(places))],
  })
  assert.equal(summary.rejected, 0)
}

/** Apps 1000 to 1099 in order, with one app at a rank. */
function hundred(app: number, rank: number): number[] {
  const others = Array.from({ length: 99 }, (_, index) => 1_000 + index)
  return others.toSpliced(rank - 1, 0, app)
}

const day = (number: number) => new Date(Date.UTC(2026, 2, number)).toISOString().slice(0, 10)

/** What `emerging` keeps of ratings that sightings state. */
async function rated(
  world: World,
  storeId: number,
  counts: readonly [day: string, count: number][],
  country = 'us',
) {
  const answer = {
    resultCount: 1,
    results: [{ wrapperType: 'software', kind: 'software', trackId: storeId, trackName: `App ${storeId}` }],
  }
  await world.import({
    kind: 'catalogue',
    paths: [folder.write('app.json', JSON.stringify(answer))],
    country,
    observedAt: '2026-03-01',
  })
  for (const [on, count] of counts)
    await sql`
      insert into rating_observations (store_id, country, day, observed_at, rating_count, rating, reading_id)
      select ${storeId}, ${country}, ${on}::date, ${on}::date, ${count}, 4, reading_id from readings limit 1`.execute(
      world.store.db,
    )
}

let clock = Date.parse('2026-04-30')

/** Estimates an app as the job does, each time a second later. */
function refreshed(world: World, storeId: number, country = 'us') {
  clock += 1_000
  return refreshEstimates(world.store.db, { storeId: String(storeId), country }, new Date(clock))
}

async function history(world: World, storeId: number, more: Record<string, unknown> = {}) {
  const reply = await world.call('get_competitor_estimate_history', {
    platform: 'ios',
    storeId: String(storeId),
    country: 'us',
    ...more,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body
}

// biome-ignore lint/suspicious/noExplicitAny: a point of a reply
type Point = any

const pointOn = (points: Point[], date: string, metric = 'downloads'): Point =>
  points.find((point) => point.date === date && point.metric === metric)

/** Own daily downloads of an app, through the import that operators use. */
async function ownDownloads(
  world: World,
  storeId: number,
  days: readonly [day: string, downloads: number][],
  country = 'us',
) {
  const table = [
    'date,app,country,downloads',
    ...days.map(([on, downloads]) => `${on},${storeId},${country},${downloads}`),
  ]
  const summary = await world.import({
    kind: 'sales',
    paths: [folder.write('own.csv', `${table.join('\n')}\n`)],
  })
  assert.equal(summary.rejected, 0)
}

test('a charting app has a range for each day after a refresh, with the rank, chart, valid ranks and sources behind it', async () => {
  await using world = await openWorld({ works: true })
  await chart(world, [
    { day: day(1), apps: hundred(7, 10) },
    { day: day(3), apps: hundred(7, 40) },
    { day: day(4), apps: hundred(8, 40) },
  ])
  const before = await history(world, 7, { from: day(1), to: day(2), metric: 'downloads' })
  assert.deepEqual(
    before.points.map((point: Point) => point.estimate),
    [1, 2].map(() => ({ state: 'not-measured', reason: 'never-collected' })),
  )
  assert.deepEqual([before.models, before.refresh], [[], null])

  assert.equal(
    (await world.call('refresh_competitor_estimates', { platform: 'ios', storeId: '7' })).status,
    202,
  )
  const found = await until(
    () => history(world, 7, { metric: 'downloads' }),
    ({ refresh }) => refresh.status === 'succeeded',
  )
  assert.deepEqual(found.refresh.progress, { done: 4, total: 4, unit: 'days' })
  assert.equal(found.to, day(4))
  const [one, two, three, four] = [1, 2, 3, 4].map((number) => pointOn(found.points, day(number)))
  assert.deepEqual(
    [one.estimate.state, one.estimate.method, one.estimate.version, one.estimate.currency],
    ['estimated', 'chart-rank', 'chart-rank/4', null],
  )
  assert.ok(one.estimate.low < 51_000 && one.estimate.high > 72_000)
  assert.ok(three.estimate.mid < one.estimate.mid)
  assert.deepEqual(one.estimate.validRanks, { from: 1, to: 100 })
  assert.deepEqual(one.inputs.slice(0, 2), [
    { name: 'rank', value: 10 },
    { name: 'chart', value: 'us top-free 36 iphone' },
  ])
  assert.match(JSON.stringify(one.inputs), /Sensor Tower.*Distimo.*slope/)
  assert.equal(
    one.estimate.validation,
    'published numbers of 2013 to 2022, not validated: no own sales of this chart',
  )
  assert.deepEqual(
    found.totals.map(({ period, from, to, days, of }: Point) => [period, from, to, days, of]).at(-1),
    ['month', day(1), day(4), 4, 4],
  )
  const total = found.totals.at(-1)
  assert.ok(total.low < total.mid && total.low > one.estimate.low + three.estimate.low)
  // Days without a chart, or whose chart does not show the app, follow from the nearest that does.
  assert.deepEqual(
    [two, four].map(({ inputs, observedAt }) => [inputs[2], observedAt.slice(0, 10)]),
    [day(1), day(3)].map((on) => [{ name: 'chart of', value: on }, on]),
  )
  const width = ({ estimate }: Point) => estimate.high / estimate.low
  assert.ok(width(two) > width(one) && four.estimate.mid < three.estimate.mid)
  assert.deepEqual(found.models, [
    {
      metric: 'downloads',
      method: 'chart-rank',
      version: 'chart-rank/4',
      from: day(1),
      to: day(4),
      shownDays: 4,
      validRanks: { from: 1, to: 100 },
      calibration: null,
    },
  ])

  const record = (await world.call('get_competitor', { platform: 'ios', storeId: '7' })).body
  assert.equal(record.estimates.date, day(4))
  assert.deepEqual(record.estimates.downloads, four.estimate)
  assert.equal(record.estimates.revenue.state, 'not-measured')
  const fresh = record.freshness.find((part: Point) => part.part === 'estimates')
  assert.deepEqual([fresh.state, fresh.evidence.source], ['measured', 'derived'])
  assert.equal(
    (await world.call('refresh_competitor_estimates', { platform: 'ios', storeId: '5' })).status,
    404,
  )
  assert.equal(
    (await world.call('get_competitor_estimate_history', { platform: 'ios', storeId: '5' })).status,
    404,
  )
})

test('revenue comes from the grossing chart in dollars, between the ranks that were published', async () => {
  await using world = await openWorld()
  const grossing = { chart: 'top-grossing' }
  await chart(world, [
    { ...grossing, day: day(1), apps: hundred(7, 20) },
    { ...grossing, day: day(2), apps: hundred(7, 9) },
    { ...grossing, day: day(3), apps: hundred(7, 51) },
  ])
  await refreshed(world, 7)
  const { points } = await history(world, 7, { metric: 'revenue' })
  const { estimate } = pointOn(points, day(1), 'revenue')
  assert.deepEqual(
    [estimate.method, estimate.currency, estimate.version],
    ['grossing-rank', 'USD', 'grossing-rank/3'],
  )
  assert.ok(estimate.low > 200_000 && estimate.mid < 1_000_000, 'by what is paid in the US today')
  assert.match(estimate.validation, /^published numbers of 2024, not validated/)
  for (const number of [2, 3])
    assert.equal(pointOn(points, day(number), 'revenue').estimate.reason, 'outside-valid-range')
})

test('a chart of one entry tells nothing of the app in it', async () => {
  await using world = await openWorld()
  await chart(world, [{ day: day(1), apps: [7] }])
  await refreshed(world, 7)
  const { points } = await history(world, 7, { metric: 'downloads' })
  assert.deepEqual(pointOn(points, day(1)).estimate, { state: 'not-measured', reason: 'too-little-evidence' })
})

test('Japan is lower and less certain than the US; Germany, of which nothing is published, is an honest gap', async () => {
  await using world = await openWorld()
  await chart(
    world,
    ['us', 'jp', 'de'].map((country) => ({ country, day: day(1), apps: hundred(7, 25) })),
  )
  for (const country of ['us', 'jp', 'de']) await refreshed(world, 7, country)
  const estimateIn = async (country: string) =>
    pointOn((await history(world, 7, { country })).points, day(1)).estimate
  const [us, jp] = [await estimateIn('us'), await estimateIn('jp')]
  assert.ok(jp.mid < us.mid && jp.high / jp.low > us.high / us.low)
  assert.deepEqual(await estimateIn('de'), { state: 'not-measured', reason: 'too-little-evidence' })
})

test('a category chart takes its scale from apps that stand in the overall chart on the same day', async () => {
  await using world = await openWorld()
  // A place of the overall chart could not be read: ours may be there.
  const overall = Array.from({ length: 100 }, (_, index) => (index === 44 ? null : 1_000 + index))
  // Each place of the category is the tenth place of the overall chart; ours stands only in the category.
  const category = [1_009, 1_019, 1_029, 1_039, 7, 1_059, 1_069, 1_079, 1_089, 1_099]
  await chart(world, [
    { day: day(1), apps: overall },
    { day: day(1), category: '6015', apps: category },
    { day: day(1), category: '6002', apps: [7, 1_001, 1_002, 1_003, 1_004].slice(0, 4) },
  ])
  await refreshed(world, 7)
  const point = pointOn((await history(world, 7)).points, day(1))
  assert.equal(point.estimate.state, 'estimated')
  assert.equal(point.inputs.find((input: Point) => input.name === 'shared apps').value, 9)
  assert.equal(point.inputs.find((input: Point) => input.name === 'chart').value, 'us top-free 6015 iphone')
  assert.deepEqual(point.estimate.validRanks, { from: 1, to: 10 })
  await refreshed(world, 1_049)
  const like = pointOn((await history(world, 1_049)).points, day(1)).estimate
  assert.ok(Math.abs(point.estimate.mid / like.mid - 1) < 0.05, `${point.estimate.mid} and ${like.mid}`)
})

test('an app that stands in no chart is estimated from its ratings, with the assumed rate among the inputs', async () => {
  await using world = await openWorld()
  await rated(world, 7, [
    [day(1), 1_000],
    [day(11), 1_300],
    [day(12), 1_290],
    [day(22), 1_290],
  ])
  await refreshed(world, 7)
  const { points, models } = await history(world, 7, { from: day(1), to: day(23), metric: 'downloads' })
  const growing = pointOn(points, day(5))
  assert.deepEqual([growing.estimate.method, growing.estimate.mid], ['rating-growth', 2_000])
  assert.equal(growing.estimate.validRanks, null)
  assert.deepEqual(growing.inputs[0], { name: 'ratings gained', value: 300 })
  assert.match(JSON.stringify(growing.inputs), /assumed ratings per download/)
  assert.equal(pointOn(points, day(12)).estimate.reason, 'too-little-evidence')
  const none = pointOn(points, day(20)).estimate
  assert.ok(none.state === 'estimated' && none.low > 0 && none.mid < 3 && none.high > 3)
  assert.equal(pointOn(points, day(23)).estimate.reason, 'never-collected')
  assert.deepEqual(
    models.map((model: Point) => [model.version, model.shownDays, model.validRanks]),
    [['rating-growth/4', 21, null]],
  )
})

test('an app looked for in a captured chart and not there has less than the last place, whatever its ratings say', async () => {
  await using world = await openWorld()
  await rated(world, 7, [
    [day(1), 1_000],
    [day(11), 39_400],
  ])
  await chart(world, [{ day: day(5), apps: hundred(8, 10) }])
  await refreshed(world, 7)
  await refreshed(world, 1_098)
  const { points } = await history(world, 7, { metric: 'downloads' })
  const { estimate: alone } = pointOn(points, day(4))
  assert.equal(alone.mid, 256_000)
  const absent = pointOn(points, day(5))
  const last = pointOn((await history(world, 1_098)).points, day(5)).estimate
  assert.ok(absent.estimate.high <= last.high, `${absent.estimate.high} and ${last.high}`)
  assert.ok(absent.estimate.mid < last.high && absent.estimate.mid > last.mid / 3)
  const says = absent.inputs.flatMap(({ name, value }: Point) => (name === 'evidence' ? [value] : []))
  assert.match(says[0], /^38,400 ratings in 10 days: 256,000 at 0.015 a download, weight 0\.\d\d$/)
  assert.match(says[1], /^not among 100 places of us top-free 36 iphone: at most [\d.,]+, weight 0\.\d\d$/)
})

test('a chart with a place that could not be read bounds nobody, nor does one of apps at another price', async () => {
  await using world = await openWorld()
  await rated(world, 7, [
    [day(1), 1_000],
    [day(11), 39_400],
  ])
  const apps = hundred(8, 10)
  await chart(world, [
    { day: day(5), apps: [...apps.slice(0, 30), null, ...apps.slice(30, 99)] },
    { day: day(5), chart: 'top-paid', apps },
  ])
  await refreshed(world, 7)
  assert.equal(pointOn((await history(world, 7)).points, day(5)).estimate.mid, 256_000)
})

test('an app that charts of paid apps show is bounded by none of free ones on such a day, nor before its price changed', async () => {
  await using world = await openWorld()
  const others = hundred(8, 10)
  await chart(world, [
    { day: day(1), chart: 'top-paid', apps: hundred(7, 1) },
    { day: day(1), apps: others },
    { day: day(2), chart: 'top-grossing', apps: hundred(7, 12) },
    { day: day(2), chart: 'top-paid', apps: others },
    { day: day(2), apps: others },
    { day: day(9), chart: 'top-paid', apps: others },
    { day: day(9), apps: hundred(7, 1) },
  ])
  await refreshed(world, 7)
  const { points } = await history(world, 7, { metric: 'downloads' })
  const bounds = (on: string) =>
    pointOn(points, on).inputs.flatMap(({ value }: Point) => (/^not among/.test(String(value)) ? [value] : []))
  assert.deepEqual(bounds(day(1)), [])
  assert.equal(pointOn(points, day(1)).estimate.mid, 33_600)
  assert.deepEqual(
    bounds(day(2)).map((said: string) => said.slice(0, 40)),
    ['not among 100 places of us top-paid 36 i'],
  )
  assert.deepEqual(bounds(day(9)), [])
})

test('an app in a chart that gains no rating does not come to nothing: its place bounds it from below', async () => {
  await using world = await openWorld()
  await rated(world, 7, [
    [day(1), 1_000],
    [day(2), 1_000],
  ])
  // Each place of the category is about the tenth place of the overall chart, which is spoken about to place 100 alone.
  const category = Array.from({ length: 100 }, (_, index) => (index < 10 ? 1_009 + 10 * index : 2_000 + index))
  await chart(world, [
    { day: day(2), apps: Array.from({ length: 100 }, (_, index) => 1_000 + index) },
    { day: day(2), category: '6015', apps: category.with(64, 7) },
    { country: 'de', day: day(2), apps: hundred(7, 65) },
  ])
  await rated(
    world,
    7,
    [
      [day(1), 1_000],
      [day(2), 1_000],
    ],
    'de',
  )
  for (const country of ['us', 'de']) await refreshed(world, 7, country)
  const us = pointOn((await history(world, 7)).points, day(2))
  assert.ok(us.estimate.low > 100 && us.estimate.mid > 200, JSON.stringify(us.estimate))
  assert.match(JSON.stringify(us.inputs), /rank 65 of us top-free 6015 iphone: at least/)
  const de = pointOn((await history(world, 7, { country: 'de' })).points, day(2)).estimate
  assert.ok(de.low >= 1 && de.mid > 1, JSON.stringify(de))
})

test('rank and ratings of a day are evidence of one number, each with its weight, and the range is narrower than of either', async () => {
  await using world = await openWorld()
  for (const app of [7, 8])
    await rated(world, app, [
      [day(1), 1_000],
      [day(11), 7_000],
    ])
  await chart(world, [
    { day: day(5), apps: hundred(7, 10) },
    { day: day(20), apps: hundred(7, 10) },
  ])
  await refreshed(world, 7)
  await refreshed(world, 8)
  const { points } = await history(world, 7, { metric: 'downloads' })
  const [both, rank] = [5, 20].map((number) => pointOn(points, day(number)))
  const ratings = pointOn((await history(world, 8)).points, day(6))
  const width = ({ estimate }: Point) => estimate.high / estimate.low
  assert.ok(width(both) < width(rank) && width(both) < width(ratings))
  const mids = [ratings, rank].map(({ estimate }) => estimate.mid).sort((one, other) => one - other)
  assert.ok(mids[0] < both.estimate.mid && both.estimate.mid < mids[1])
  assert.equal(both.inputs.filter(({ name }: Point) => name === 'evidence').length, 2)
  assert.match(
    both.inputs.at(-1).value,
    /^(what is published of|ratings per download).*: mid 0\.\d+ to \d\.\d+ times$/,
  )
})

test('a refresh that failed is told as such on days that no refresh has looked at, and leaves what is stored', async () => {
  await using world = await openWorld()
  const { db } = world.store
  await chart(world, [{ day: day(1), apps: hundred(7, 10) }])
  const reported = async (key?: string) => {
    const asked = { platform: 'ios', storeId: '7' }
    const options = key ? { key } : {}
    const window = { from: day(1), to: day(1), metric: 'downloads' }
    const { points } = (await world.call('get_competitor_estimate_history', { ...asked, ...window }, options))
      .body
    const { estimates, freshness } = (await world.call('get_competitor', asked, options)).body
    const part = freshness.find((one: { part: string }) => one.part === 'estimates')
    const facts = [points[0].estimate, estimates.downloads, part]
    return facts.map(({ state, reason }) => reason ?? state)
  }
  const refresh = async () => {
    const { body } = await world.call('refresh_competitor_estimates', { platform: 'ios', storeId: '7' })
    for (let attempt = 0; attempt < maxAttempts; attempt++)
      await workTask(
        db,
        estimateRefresh,
        performEstimateRefresh(db),
      )(body, new AbortController().signal).catch(() => {})
  }
  assert.deepEqual(await reported(), Array(3).fill('never-collected'))
  await sql`alter table estimates add constraint broken check (false)`.execute(db)
  await refresh()
  assert.deepEqual(await reported(), Array(3).fill('source-failed'))
  const other = await world.key(undefined, 'other')
  assert.deepEqual(await reported(other), Array(3).fill('never-collected'), 'who asked knows, and nobody else')
  await sql`alter table estimates drop constraint broken`.execute(db)
  await refresh()
  assert.deepEqual(await reported(), ['estimated', 'estimated', 'measured'])
  await sql`alter table estimates add constraint broken check (false) not valid`.execute(db)
  await refresh()
  assert.deepEqual(await reported(), ['estimated', 'estimated', 'measured'])
})

describe('With own sales of a law', () => {
  const lawAt = (rank: number) => Math.round(20_000 * rank ** -0.9)
  const ranks = Array.from({ length: 40 }, (_, index) => 5 + ((index * 7) % 60))

  async function sold(country: string): Promise<World> {
    const world = await openWorld()
    await chart(
      world,
      ranks.map((rank, index) => ({ country, day: day(index + 1), apps: hundred(7, rank) })),
    )
    await ownDownloads(
      world,
      7,
      ranks.map((rank, index) => [day(index + 1), lawAt(rank)]),
      country,
    )
    return world
  }

  test('a calibration lowers the error, is named by the estimates, and leaves the older version beside it', async () => {
    await using world = await sold('us')
    await refreshed(world, 7)
    const { charts, ownDays } = await calibrateCharts(world.store.db, new Date('2026-04-20T10:00:00Z'))
    assert.equal(ownDays, 40)
    const [made] = charts
    assert.ok(made?.fit && charts.length === 1)
    assert.ok(made.fit.used && made.fit.errorBefore !== null && made.fit.errorAfter < made.fit.errorBefore / 5)
    assert.ok(Math.abs(made.fit.slope - 0.9) < 0.01)
    // Captured, but worse than twice the worst own rank: the calibration does not speak about it, the prior does.
    await chart(world, [{ day: day(41), apps: hundred(8, 3) }])
    await refreshed(world, 7)
    await refreshed(world, 8)
    const version = `chart-rank/4 (cal-${made.calibrationId})`
    const { points, models } = await history(world, 7, { from: day(1), to: day(40), metric: 'downloads' })
    for (const [index, rank] of ranks.entries()) {
      const { estimate } = pointOn(points, day(index + 1))
      assert.equal(estimate.version, version)
      assert.ok(Math.abs(estimate.mid / lawAt(rank) - 1) < 0.1)
    }
    assert.deepEqual(
      models.map((model: Point) => [model.version, model.shownDays]),
      [
        [version, 40],
        ['chart-rank/4', 0],
      ],
    )
    assert.deepEqual(models[0].calibration, {
      calibratedAt: '2026-04-20T10:00:00.000Z',
      country: 'us',
      chart: 'us top-free 36 iphone',
      used: true,
      apps: 1,
      points: 40,
      heldOut: 30,
      medianErrorBefore: made.fit.errorBefore,
      medianErrorAfter: made.fit.errorAfter,
      medianErrorConstant: made.fit.errorConstant,
      covered: made.fit.covered,
      errorBetweenDays: made.fit.daySd,
      errorBetweenApps: made.fit.betweenApps,
      errorBetweenAppsIs: 'assumed',
    })
    const rival = pointOn((await history(world, 8)).points, day(41)).estimate
    assert.match(rival.validation, /^ranges held \d+ % of 30 later days of the one own app, .*cannot tell/)
    assert.deepEqual([rival.version, rival.validRanks], [version, { from: 3, to: 100 }])
  })

  test('a change of version is a boundary in the series: days only the older one could estimate keep it', async () => {
    await using world = await sold('us')
    await refreshed(world, 7)
    await calibrateCharts(world.store.db, new Date('2026-04-20'))
    await sql`delete from chart_snapshots where day <= ${day(10)}::date`.execute(world.store.db)
    await refreshed(world, 7)
    const { points, models } = await history(world, 7, { from: day(1), to: day(40), metric: 'downloads' })
    assert.equal(pointOn(points, day(10)).estimate.version, 'chart-rank/4')
    assert.equal(pointOn(points, day(11)).estimate.version, 'chart-rank/4 (cal-1)')
    assert.deepEqual(
      models.map((model: Point) => [model.version, model.from, model.shownDays]),
      [
        ['chart-rank/4 (cal-1)', day(11), 30],
        ['chart-rank/4', day(1), 10],
      ],
    )
  })

  test('it speaks where nothing was published, and the error before is not made up', async () => {
    await using world = await sold('de')
    const { charts } = await calibrateCharts(world.store.db, new Date('2026-04-20'))
    assert.deepEqual([charts[0]?.fit?.errorBefore, charts[0]?.fit?.used], [null, true])
    await refreshed(world, 7, 'de')
    const { points, models } = await history(world, 7, { country: 'de' })
    assert.equal(pointOn(points, day(40)).estimate.state, 'estimated')
    assert.equal(models[0].calibration.medianErrorBefore, null)
  })

  test('a fit of which half the days held back are more than a factor of two off is not used, however bad a constant is', async () => {
    await using world = await openWorld()
    const off = (index: number) => [0.2, 1, 5][index % 3] ?? 1
    await chart(
      world,
      ranks.map((rank, index) => ({ country: 'de', day: day(index + 1), apps: hundred(7, rank) })),
    )
    await ownDownloads(
      world,
      7,
      ranks.map((rank, index) => [day(index + 1), Math.round(3_000_000 * rank ** -2 * off(index))]),
      'de',
    )
    const { charts } = await calibrateCharts(world.store.db, new Date('2026-04-20'))
    const [made] = charts
    assert.ok(made?.fit && made.fit.errorAfter > 1 && made.fit.errorAfter < made.fit.errorConstant)
    assert.equal(made.fit.used, false)
    assert.match(whyCalibrationUnused(made) ?? '', /more than a factor of two off/)
  })

  test('calibrating twice is calibrating once', async () => {
    await using world = await sold('us')
    const first = await calibrateCharts(world.store.db, new Date('2026-04-20'))
    const second = await calibrateCharts(world.store.db, new Date('2026-04-21'))
    assert.deepEqual(second, first)
  })

  test('a calibration that no longer holds is stored, and not used any more', async () => {
    await using world = await sold('us')
    await calibrateCharts(world.store.db, new Date('2026-04-20'))
    await refreshed(world, 7)
    const [published] = rankModelsOf(
      { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' },
      [],
      2026,
    )
    assert.ok(published)
    const later = ranks.map((rank, index) => ({ rank, on: day(41 + index) }))
    await chart(
      world,
      later.map(({ rank, on }) => ({ day: on, apps: hundred(7, rank) })),
    )
    await ownDownloads(
      world,
      7,
      later.map(({ rank, on }) => [on, Math.round(Math.exp(published.at(rank).mean))]),
    )
    const { charts } = await calibrateCharts(world.store.db, new Date('2026-06-20'))
    assert.deepEqual([charts[0]?.fit?.used, charts[0]?.fit?.errorBefore?.toFixed(2)], [false, '0.00'])
    const before = await history(world, 7)
    assert.deepEqual(
      before.points.filter(({ estimate }: Point) => / \(cal-/.test(estimate.version)),
      [],
      'what it said is gone at once, before anything is estimated anew',
    )
    assert.deepEqual(
      before.models.map((model: Point) => [model.version, model.shownDays, model.calibration?.used]),
      [['chart-rank/4 (cal-1)', 0, false]],
    )
    const record = await world.call('get_competitor', { platform: 'ios', storeId: '7', country: 'us' })
    assert.equal(record.body.estimates.downloads.state, 'not-measured')
    clock = Date.parse('2026-06-21')
    await refreshed(world, 7)
    const { points } = await history(world, 7)
    for (const number of [1, 40, 80]) {
      const { version, validation } = pointOn(points, day(number)).estimate
      assert.equal(version, 'chart-rank/4')
      assert.match(validation, /^published numbers of 2013 to 2022: median error 0 % on 60 days of 1 own app;/)
    }
  })
})

test('with own sales of four apps every app is held against a law of the others, by horizon, chart and app', async () => {
  await using world = await openWorld()
  const own = [11, 12, 13, 14]
  const days = Array.from({ length: 24 }, (_, index) => index + 1)
  const rankOf = (app: number, on: number) => 4 + (app - 11) * 15 + ((on * (app - 8)) % 12)
  await chart(
    world,
    days.map((on) => ({
      day: day(on),
      apps: own.reduce((apps, app) => apps.with(rankOf(app, on) - 1, app), hundred(8, 100)),
    })),
  )
  for (const [at, app] of own.entries()) {
    await ownDownloads(
      world,
      app,
      days.map((on) => [day(on), Math.round(20_000 * rankOf(app, on) ** -0.9 * ([1, 1.5, 0.7, 1.2][at] ?? 1))]),
    )
    await rated(world, app, [
      [day(1), 1_000],
      [day(24), 1_100 + at],
    ])
  }
  const models = ['chart-rank', 'calibration', 'rating-growth', 'grossing-rank'] as const
  const { code, out } = await operate(world, {
    command: 'backtest',
    options: { models: [...models], json: true },
  })
  assert.equal(code, 0)
  const { results } = JSON.parse(out)
  const [byRank, covered, byRatings, revenue] = models.map(
    (name) => results.find(({ model }: Point) => model === name).outcome,
  )
  assert.ok(byRank.state === 'measured' && byRank.cases === 96 && byRank.figure < byRank.baselineFigure)
  assert.ok(byRank.figure < 1.8 && byRank.interval.low <= byRank.figure)
  assert.deepEqual(
    byRank.details.map(({ title, kind }: Point) => [kind, title]),
    [
      ['table', 'By days since the app was first known'],
      ['table', 'By chart'],
      ['table', 'By app'],
      ['series', 'Error by days since the app was first known'],
    ],
  )
  assert.ok(covered.state === 'measured' && covered.figure <= 20, JSON.stringify(covered.details[0]))
  assert.deepEqual([byRatings.state, byRatings.cases], ['measured', 96])
  assert.equal(revenue.state, 'not-validated')
  // The figure goes with every estimate of a rival, stored when it was made.
  await calibrateCharts(world.store.db, new Date('2026-04-20'))
  await refreshed(world, 1_050)
  const { validation } = pointOn((await history(world, 1_050)).points, day(5)).estimate
  assert.match(validation, /^ranges held \d+ % of 96 days of 4 own apps, each left out, median error \d+ %$/)
})

test('asking twice for a refresh while it is under way is one work, and the days wait for it', async () => {
  await using world = await openWorld()
  await chart(world, [{ day: day(1), apps: [7] }])
  const app = { platform: 'ios', storeId: '7' }
  const asked = await world.call('refresh_competitor_estimates', app)
  assert.deepEqual([asked.status, asked.body.status], [202, 'queued'])
  assert.deepEqual((await world.call('refresh_competitor_estimates', app)).body, asked.body)
  await world.call('refresh_competitor_estimates', { ...app, country: 'jp' })
  const found = await rows(world.store.db, sql<{ subject: string }>`select subject from work order by subject`)
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['7 jp', '7 us'],
  )
  const { points, refresh } = await history(world, 7)
  assert.equal(refresh.status, 'queued')
  assert.deepEqual(points[0].estimate, { state: 'not-measured', reason: 'pending' })
})

test('estimates fulfil the open requests for them, and only once there are some', async () => {
  await using world = await openWorld()
  const app = { platform: 'ios', storeId: '7', country: 'us' }
  await world.call('request_competitor_data', { ...app, kinds: ['estimates'] })
  const status = async () =>
    (await world.call('list_competitor_data_requests', { platform: 'ios', storeId: '7' })).body.items.map(
      (request: Point) => request.status,
    )
  await chart(world, [{ day: day(1), apps: hundred(8, 10) }])
  await refreshed(world, 7)
  assert.deepEqual(await status(), ['open'])
  await chart(world, [{ day: day(2), apps: hundred(7, 10) }])
  assert.deepEqual(await status(), ['open'])
  await refreshed(world, 7)
  assert.deepEqual(await status(), ['fulfilled'])
})

test('a refresh that is run twice, as after a kill, writes the same once', async () => {
  await using world = await openWorld()
  await chart(world, [{ day: day(1), apps: hundred(7, 10) }])
  await rated(world, 7, [
    [day(1), 10],
    [day(20), 30],
  ])
  await refreshed(world, 7)
  const first = await history(world, 7)
  await refreshed(world, 7)
  assert.deepEqual(await history(world, 7), first)
})

test('what can no longer be estimated from stored evidence is withdrawn, since the same model said it', async () => {
  await using world = await openWorld()
  await chart(world, [{ day: day(1), apps: hundred(8, 10) }])
  await rated(world, 7, [
    [day(1), 10],
    [day(20), 30],
  ])
  await refreshed(world, 7)
  assert.equal(pointOn((await history(world, 7)).points, day(10)).estimate.method, 'rating-growth')
  await sql`update rating_observations set rating_count = 5 where day = ${day(20)}::date`.execute(
    world.store.db,
  )
  await refreshed(world, 7)
  const { points, models } = await history(world, 7)
  assert.equal(pointOn(points, day(10)).estimate.reason, 'too-little-evidence')
  assert.deepEqual(
    models.map((model: Point) => model.version),
    [],
  )
})

test('a window longer than three years is refused', async () => {
  await using world = await openWorld()
  await chart(world, [{ day: day(1), apps: [7] }])
  const reply = await world.call('get_competitor_estimate_history', {
    platform: 'ios',
    storeId: '7',
    from: '2020-01-01',
    to: '2026-01-01',
  })
  assert.deepEqual([reply.status, reply.body.errors[0].pointer], [400, '/query/from'])
})
