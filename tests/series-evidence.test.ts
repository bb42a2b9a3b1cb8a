import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { openFolder } from './support/files.ts'
import { openWorld } from './support/world.ts'

/** Every point of a series says when it was observed and which of the sources named beside the series showed it. */
const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const genre = '6007'
const apps = ['101', '102', '103']

/** The newest day of a chart as Apple's feed has it; the day before and the one before that come from a table. */
const feed = {
  feed: {
    entry: apps.map((id) => ({
      'im:name': { label: `App ${id}` },
      id: { label: `https://apps.apple.com/us/app/x/id${id}?uo=2`, attributes: { 'im:id': id } },
    })),
    updated: { label: '2026-03-05T05:00:00-07:00' },
    title: { label: 'iTunes Store: Top Free Applications' },
    id: { label: `https://itunes.apple.com/us/rss/topfreeapplications/limit=100/genre=${genre}/json` },
  },
}
const places = ['2026-03-02', '2026-03-04'].flatMap((day) =>
  apps.toReversed().map((id, at) => ({
    ...{ country: 'us', chart: 'top-free', category: genre, capturedAt: `${day}T12:00:00Z` },
    ...{ rank: at + 1, id, name: `App ${id}` },
  })),
)
const listing = (averageUserRating: number, userRatingCount: number) => ({
  resultCount: 1,
  results: [
    {
      ...{ wrapperType: 'software', kind: 'software', trackId: 101, trackName: 'App 101' },
      ...{ averageUserRating, userRatingCount },
    },
  ],
})
const file = (name: string, content: unknown) => folder.write(name, JSON.stringify(content))

for (const order of [
  { kind: 'charts', paths: [file('feed.json', feed)] },
  { kind: 'charts', paths: [file('places.json', places)] },
  {
    kind: 'catalogue',
    paths: [file('one.json', listing(4.2, 900))],
    observedAt: '2026-03-01T09:00:00Z',
    country: 'us',
  },
  {
    kind: 'catalogue',
    paths: [file('two.json', listing(4.3, 1_900))],
    observedAt: '2026-03-10T09:00:00Z',
    country: 'us',
  },
] as const) {
  const summary = await world.import({ ...order, paths: [...order.paths] })
  assert.ok(summary.stored > 0, JSON.stringify(summary))
}

interface Point {
  date: string
  observedAt: string | null
  source: number | null
}
/** Each point with what it was read from, and that every source is named once and used. */
function reported(
  points: readonly Point[],
  sources: readonly { source: string; surface: string; country: string }[],
) {
  assert.equal(new Set(sources.map((one) => JSON.stringify(one))).size, sources.length)
  for (const [place, one] of sources.entries()) {
    assert.deepEqual([one.country, one.surface !== ''], ['us', true])
    assert.ok(points.some(({ source }) => source === place))
  }
  return points.map(({ date, observedAt, source }) => [
    date,
    observedAt,
    source === null ? null : sources[source]?.source,
  ])
}

test('of a chart history each day names the capture it is read from, and the best rank its own', async () => {
  const { body } = await world.call('get_apple_chart_history', {
    storeId: '101',
    from: '2026-03-02',
    to: '2026-03-05',
  })
  const [{ series, best }] = body.charts
  const days = [
    ['2026-03-02', '2026-03-02T12:00:00.000Z', 'chart-file'],
    ['2026-03-03', null, null],
    ['2026-03-04', '2026-03-04T12:00:00.000Z', 'chart-file'],
    ['2026-03-05', '2026-03-05T12:00:00.000Z', 'apple-rss-legacy'],
  ]
  assert.deepEqual(reported(series, body.sources), days)
  assert.deepEqual([best.date, best.observedAt, body.sources.at(best.source).source], days[3])
})

test('a snapshot names the one before it, which its changes are told against', async () => {
  const { body } = await world.call('get_apple_charts', { categoryId: genre })
  const { evidence, previousEvidence, previousCapturedAt } = body
  assert.deepEqual([evidence.source, previousEvidence.source], ['apple-rss-legacy', 'chart-file'])
  assert.equal(previousEvidence.observedAt, previousCapturedAt)
})

test('of an estimate series each day names what it starts from: the capture of its chart, or the next ratings', async () => {
  await refreshEstimates(world.store.db, { storeId: '101', country: 'us' }, new Date('2026-03-11T00:00:00Z'))
  const { body } = await world.call('get_competitor_estimate_history', {
    ...{ platform: 'ios', storeId: '101', metric: 'downloads', from: '2026-03-03', to: '2026-03-08' },
  })
  for (const { date, estimate, observedAt, source } of body.points) {
    if (estimate.state !== 'estimated') continue
    const { source: from } = body.sources.at(source)
    if (estimate.method === 'rating-growth')
      assert.deepEqual([from, observedAt], ['itunes-search', '2026-03-10T09:00:00.000Z'])
    else
      assert.deepEqual(
        [from, observedAt.slice(0, 10)],
        [date === '2026-03-05' ? 'apple-rss-legacy' : 'chart-file', date],
      )
  }
  const methods = body.points.map(({ estimate }: { estimate: { method?: string } }) => estimate.method)
  assert.ok(methods.includes('rating-growth'), JSON.stringify(methods))
  for (const { inputs, observedAt } of body.points) assert.equal(observedAt === null, inputs.length === 0)
})

test('of ratings each observation names its source, and growth both of those it lies between', async () => {
  const { body } = await world.call('get_competitor_aso', { platform: 'ios', storeId: '101' })
  const { history, sources, growth } = body.ratings
  const points = history.map((one) => ({ ...one, date: '' }))
  assert.deepEqual(reported(points, sources), [
    ['', '2026-03-01T09:00:00.000Z', 'itunes-search'],
    ['', '2026-03-10T09:00:00.000Z', 'itunes-search'],
  ])
  const [{ added }] = growth
  assert.equal(added.value, 1_000)
  assert.deepEqual(
    [added.fromSource, added.toSource].map((place) => sources.at(place).source),
    ['itunes-search', 'itunes-search'],
  )
})
