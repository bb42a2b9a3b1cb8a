import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import {
  calmListing,
  chartMoves,
  chartsCapturedUntil,
  chartWindowOf,
  keywordMoves,
  listingMoves,
  newRows,
  pagesCapturedUntil,
  placesClimbed,
  withLastLook,
} from './moves.ts'

type Workstation = Parameters<typeof keywordMoves>[0]['reply']
type Keyword = Workstation['keywords'][number]
type ChartHistory = Parameters<typeof chartMoves>[0]['reply']
type Point = ChartHistory['charts'][number]['series'][number]
type Timeline = Parameters<typeof listingMoves>[0]['reply']['timeline']
type Field = Timeline[number]['fields'][number]

const until = '2026-11-20T05:00:00.000Z'
const tracked = { appId: 'a', country: 'us' } as TrackedAppSummary

const keyword = (given: Partial<Keyword>): Keyword =>
  ({
    term: 'budget',
    surface: 'iTunes Search API',
    observedAt: '2026-11-20T05:00:00.000Z',
    rank: { state: 'measured', value: 5, depth: 50 },
    over7Days: { state: 'measured', places: 5, comparedOn: '2026-11-13' },
    ...given,
  }) as Keyword
const movesOf = (given: Partial<Keyword>) =>
  keywordMoves({ tracked, reply: { keywords: [keyword(given)] } as Workstation, until }, 7)

test('charts are read from some weeks before they were captured last, and over all days where that is not known', () => {
  const of = (charts: unknown) => ({ ...tracked, moves: { charts } }) as TrackedAppSummary
  const known = of({ state: 'measured', lastAt: until, moved: 0, items: [] })
  assert.deepEqual(chartWindowOf(known, 7), { from: '2026-10-06' })
  assert.deepEqual(chartWindowOf(known, 1), { from: '2026-10-20' })
  assert.deepEqual(chartWindowOf(of({ state: 'not-measured', reason: 'never-collected' }), 7), {})
})

test('a keyword that climbed is told with both ranks', () => {
  const [move] = movesOf({})
  assert.deepEqual(move?.before, { rank: 10 })
  assert.deepEqual(move?.after, { rank: 5 })
  assert.equal(move && placesClimbed(move), 5)
})

test('coming in and going out are told with the depth that was read', () => {
  const [entered] = movesOf({ over7Days: { state: 'entered', depth: 50, comparedOn: '2026-11-13' } })
  assert.deepEqual(entered?.before, { outside: 50 })
  const [left] = movesOf({
    rank: { state: 'absent', depth: 50 },
    over7Days: { state: 'left', from: 9, depth: 50, comparedOn: '2026-11-13' },
  })
  assert.deepEqual([left?.before, left?.after], [{ rank: 9 }, { outside: 50 }])
})

test('what did not move, was not measured or was read before the span is no move', () => {
  assert.deepEqual(movesOf({ over7Days: { state: 'measured', places: 0, comparedOn: '2026-11-13' } }), [])
  assert.deepEqual(movesOf({ over7Days: { state: 'not-measured', reason: 'suspect-empty' } }), [])
  assert.deepEqual(movesOf({ over7Days: { state: 'absent', comparedOn: '2026-11-13' } }), [])
  assert.deepEqual(movesOf({ observedAt: '2026-11-12T05:00:00.000Z' }), [])
})

const point = (date: string, rank: Point['rank'], source = 0): Point => ({
  date,
  rank,
  observedAt: `${date}T10:00:00.000Z`,
  source,
})
const at = (value: number, depth = 100): Point['rank'] => ({ state: 'measured', value, depth })
const out = (depth: number): Point['rank'] => ({ state: 'absent', depth })
const unread: Point['rank'] = { state: 'not-measured', reason: 'no-snapshot' }
const chartMovesOf = (...series: Point[]) =>
  chartMoves(
    {
      tracked,
      reply: {
        charts: [{ series }],
        sources: [{ surface: 'feed' }, { surface: 'other feed' }],
      } as ChartHistory,
      until,
    },
    7,
  )

test('a chart is compared with the last capture before the span, over gaps', () => {
  const [move] = chartMovesOf(
    point('2026-11-11', at(40)),
    point('2026-11-12', at(30)),
    point('2026-11-13', unread),
    point('2026-11-19', at(12)),
    point('2026-11-20', unread),
  )
  assert.equal(move?.comparedOn, '2026-11-12')
  assert.deepEqual([move?.before, move?.after], [{ rank: 30 }, { rank: 12 }])
})

test('in and out of a chart count only where as many places were read as it takes to tell', () => {
  assert.equal(chartMovesOf(point('2026-11-13', out(100)), point('2026-11-20', at(60))).length, 1)
  assert.equal(chartMovesOf(point('2026-11-13', out(50)), point('2026-11-20', at(60))).length, 0)
  assert.equal(chartMovesOf(point('2026-11-13', at(60)), point('2026-11-20', out(100))).length, 1)
  assert.equal(chartMovesOf(point('2026-11-13', at(60)), point('2026-11-20', out(50))).length, 0)
})

test('captures of different surfaces are not compared', () => {
  assert.equal(chartMovesOf(point('2026-11-13', at(60)), point('2026-11-20', at(10), 1)).length, 0)
})

test('a chart that was captured last before the span did not move in it', () => {
  assert.equal(chartMovesOf(point('2026-11-10', at(60)), point('2026-11-13', at(10))).length, 0)
})

const field = (given: Partial<Field>): Field =>
  ({
    field: 'subtitle',
    from: { state: 'measured', value: 'a', evidence: 0 },
    to: { state: 'measured', value: 'b', evidence: 0 },
    comparison: 'changed',
    ...given,
  }) as Field
const listingOf = (firstSeenAt: string, ...fields: Field[]) =>
  listingMoves(
    {
      tracked,
      reply: {
        timeline: [{ firstSeenAt, fields, evidence: [] }] as unknown as Timeline,
        listingObserved: { lastAt: until },
      },
      until,
    },
    7,
  )

test('pictures nobody can compare and fields read for the first time are no change', () => {
  const seen = '2026-11-18T05:00:00.000Z'
  const [move] = listingOf(
    seen,
    field({ field: 'version' }),
    field({}),
    field({ field: 'icon', comparison: 'not-compared' }),
    field({ field: 'description', from: { state: 'not-measured', reason: 'never-collected' } }),
  )
  assert.deepEqual(
    move?.fields.map((one) => one.field),
    ['subtitle', 'version'],
  )
  assert.deepEqual(listingOf(seen, field({ field: 'icon', comparison: 'not-compared' })), [])
  assert.deepEqual(listingOf('2026-11-12T05:00:00.000Z', field({})), [])
})

test('who looks at one app anew has not looked at the others: each ends with what was read of it', () => {
  const other = { appId: 'b', country: 'us' } as TrackedAppSummary
  const never = { appId: 'c', country: 'us' } as TrackedAppSummary
  const old = { appId: 'd', country: 'us' } as TrackedAppSummary
  const pages = (observedAt: string | null, comparedOn: string) =>
    ({
      keywords: [keyword({ observedAt, over7Days: { state: 'measured', places: 5, comparedOn } })],
    }) as Workstation
  const looked = withLastLook(
    [tracked, other, never, old],
    [
      pages('2026-11-28T05:00:00.000Z', '2026-11-21'),
      pages('2026-11-20T05:00:00.000Z', '2026-11-13'),
      pages(null, '2026-11-13'),
      pages('2026-10-01T05:00:00.000Z', '2026-09-24'),
    ],
    pagesCapturedUntil,
  )
  assert.deepEqual(
    looked.apps.flatMap((one) => keywordMoves(one, 7)).map((move) => [move.tracked.appId, move.at]),
    [
      ['a', '2026-11-28T05:00:00.000Z'],
      ['b', '2026-11-20T05:00:00.000Z'],
    ],
  )
  assert.equal(looked.behind, 1)
})

test('charts end with the last one that was captured, whether or not it shows the app', () => {
  const charts = [
    { series: [point('2026-11-18', at(4)), point('2026-11-19', out(100)), point('2026-11-20', unread)] },
  ]
  assert.equal(chartsCapturedUntil({ charts } as ChartHistory), '2026-11-19')
})

test('an ad is new in the days before its library was looked at for its app, however long ago that is', () => {
  const ad = (subject: string, began: string, observedAt: string) => ({
    row: `${subject} ${began}`,
    began,
    observed: [observedAt],
    subjects: [subject],
  })
  const ads = [
    ad('a meta', '2026-11-10', '2026-11-15T05:00:00.000Z'),
    ad('a meta', '2026-11-02', '2026-11-14T05:00:00.000Z'),
    // Looked at anew later: this says nothing about other apps and other libraries.
    ad('a apple', '2026-11-20', '2026-11-28T05:00:00.000Z'),
    ad('b apple', '2026-11-27', '2026-11-28T05:00:00.000Z'),
    ad('c meta', '2026-09-01', '2026-09-02T05:00:00.000Z'),
  ]
  const { rows, looked } = newRows(ads, 7)
  assert.deepEqual(rows, ['a meta 2026-11-10', 'b apple 2026-11-27'])
  assert.deepEqual(
    [looked.apps.map(({ until }) => until.slice(0, 10)), looked.behind],
    [['2026-11-15', '2026-11-28', '2026-11-28'], 1],
  )
  assert.deepEqual(newRows([], 7), { rows: [], looked: { apps: [], behind: 0 } })
})

test('an app that was found before a storefront was looked through last is new by that run alone', () => {
  const found = (country: string, began: string) => ({ row: country, began, observed: [], subjects: [country] })
  const runs = new Map([
    ['us', '2026-11-28T05:00:00.000Z'],
    ['de', '2026-11-14T05:00:00.000Z'],
  ])
  const { rows } = newRows(
    [found('us', '2026-11-12'), found('de', '2026-11-12'), found('jp', '2026-11-12')],
    7,
    runs,
  )
  assert.deepEqual(rows, ['de'])
})

test('a listing that the list of apps tells not to have moved is not read for as many days, and any other is', () => {
  const of = (listing: unknown) => ({ ...tracked, moves: { days: 7, listing } }) as TrackedAppSummary
  const calm = of({ state: 'not-looked-at', lastAt: until, moved: 0, items: [] })
  assert.deepEqual(calmListing(calm, 7), { timeline: [], listingObserved: { lastAt: until } })
  assert.deepEqual(calmListing(calm, 1), calmListing(calm, 7))
  assert.equal(calmListing(calm, 30), undefined)
  assert.equal(calmListing(of({ state: 'measured', lastAt: until, moved: 1, items: [] }), 7), undefined)
  assert.equal(calmListing(of({ state: 'not-measured', reason: 'too-little-evidence' }), 7), undefined)
})
