import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../evidence/days.ts'
import { changeMarksOf, pointsBetween, rankSeriesOf } from './rank-series.ts'

type History = Parameters<typeof rankSeriesOf>[0]
type Chart = History['charts'][number]
type Point = Chart['series'][number]

const point = (date: string, rank: Point['rank']): Point => ({
  date,
  rank,
  observedAt: rank.state === 'not-measured' ? null : `${date}T04:00:00.000Z`,
  source: rank.state === 'not-measured' ? null : 0,
})

const evidence: Chart['evidence'] = {
  source: 'apple-rss-v2',
  origin: 'collected',
  surface: 'Apple RSS feed',
  country: 'us',
  observedAt: '2026-11-20T04:00:00.000Z',
  timeBasis: 'payload',
  readingId: '1',
}

const chart = (categoryId: string, ranks: Point['rank'][]): Chart => ({
  country: 'us',
  chart: 'top-free',
  categoryId,
  categoryName: categoryId === '36' ? 'All apps' : 'Games',
  device: 'iphone',
  best: { rank: 1, date: '2026-11-01', observedAt: '2026-11-01T04:00:00.000Z', source: 0 },
  current: { state: 'not-measured', reason: 'no-snapshot' },
  daysInChart: ranks.filter(({ state }) => state === 'measured').length,
  daysOutside: 0,
  daysWithoutSnapshot: 0,
  snapshots: ranks.length,
  evidence,
  series: ranks.map((rank, index) => point(addDays('2026-11-01', index), rank)),
})

const at = (value: number): Point['rank'] => ({ state: 'measured', value, depth: 100 })
const outside: Point['rank'] = { state: 'absent', depth: 100 }
const unknown: Point['rank'] = { state: 'not-measured', reason: 'no-snapshot' }

const history = (charts: Chart[]): History => ({
  asOf: { today: '2026-11-29', newestEvidenceAt: null, state: 'unknown', since: null },
  app: {
    platform: 'ios',
    storeId: '1',
    name: null,
    developer: null,
    iconUrl: null,
    namedIn: null,
    catalogued: true,
  },
  country: 'us',
  alsoIn: [],
  from: '2026-11-01',
  to: '2026-11-04',
  charts,
  sources: [
    {
      source: 'apple-rss-v2',
      origin: 'collected',
      surface: 'Apple RSS feed',
      country: 'us',
      timeBasis: 'payload',
    },
  ],
  coverage: { chartsObserved: 3, chartsWithApp: charts.length },
  trouble: [],
})

test('a day outside the chart is told apart from a day that nobody captured', () => {
  const { days, lines, sources } = rankSeriesOf(history([chart('36', [at(4), outside, unknown, at(7)])]))
  assert.deepEqual(days, ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'])
  assert.deepEqual(lines[0]?.values, [4, null, null, 7])
  assert.deepEqual(lines[0]?.absent, [false, true, false, false])
  assert.equal(lines[0]?.name, 'Top Free, All apps (iPhone)')
  assert.deepEqual(
    sources.map((texts) => texts.length),
    [1, 1, 0, 1],
  )
})

test('the charts that showed the app on most days come first', () => {
  const { lines } = rankSeriesOf(history([chart('6014', [at(4), unknown]), chart('36', [at(9), at(8)])]))
  assert.deepEqual(
    lines.map(({ name }) => name),
    ['Top Free, All apps (iPhone)', 'Top Free, Games (iPhone)'],
  )
})

test('a part keeps days, ranks and sources together, also where it reaches beyond the whole', () => {
  const whole = rankSeriesOf(history([chart('36', [at(1), at(2), outside, at(4)])]))
  const part = pointsBetween(whole, '2026-11-02', '2026-11-03')
  assert.deepEqual(part.days, ['2026-11-02', '2026-11-03'])
  assert.deepEqual(part.lines[0]?.values, [2, null])
  assert.deepEqual(part.lines[0]?.absent, [false, true])
  assert.equal(part.sources.length, 2)
  assert.deepEqual(pointsBetween(whole, '2026-10-01', '2026-12-31'), whole)
  assert.deepEqual(pointsBetween(whole, '2026-12-01', '2026-12-31').days, [])
})

test('a mark stands on the day the change was first seen, and names its fields', () => {
  const change = {
    firstSeenAt: '2026-11-02T05:00:00.000Z',
    fields: [{ field: 'name' }, { field: 'icon' }],
  } as Parameters<typeof changeMarksOf>[0][number]
  assert.deepEqual(changeMarksOf([change]), [{ day: '2026-11-02', text: 'Listing: Name, Icon' }])
})
