import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import {
  chartMoves,
  chartsFrom,
  keywordMoves,
  listingMoves,
  placesClimbed,
  type Span,
  spanOf,
} from './moves.ts'

type Workstation = Parameters<typeof keywordMoves>[1]
type Keyword = Workstation['keywords'][number]
type ChartHistory = Parameters<typeof chartMoves>[1]
type Point = ChartHistory['charts'][number]['series'][number]
type Timeline = Parameters<typeof listingMoves>[1]['timeline']
type Field = Timeline[number]['fields'][number]

const span: Span = { days: 7, from: '2026-11-13T05:00:00.000Z', until: '2026-11-20T05:00:00.000Z' }
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
  keywordMoves(tracked, { keywords: [keyword(given)] } as Workstation, span)

test('charts are read from a few days before the span; of one that is years ago, the last months of the charts are', () => {
  assert.equal(chartsFrom(span, new Date('2026-11-20T06:00:00Z')), '2026-11-10')
  assert.equal(chartsFrom(span, new Date('2028-11-20T06:00:00Z')), '2026-11-10')
  assert.equal(chartsFrom(span, new Date('2029-11-20T06:00:00Z')), undefined)
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
    tracked,
    { charts: [{ series }], sources: [{ surface: 'feed' }, { surface: 'other feed' }] } as ChartHistory,
    span,
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
  listingMoves(tracked, { timeline: [{ firstSeenAt, fields, evidence: [] }] as unknown as Timeline }, span)

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

test('the span ends with the newest evidence, or now where there is none', () => {
  const now = new Date('2026-11-23T09:00:00.000Z')
  const app = { visibility: { newestPageAt: '2026-11-20T05:00:00.000Z' } } as TrackedAppSummary
  assert.deepEqual(spanOf([app], 7, now), span)
  assert.equal(spanOf([], 1, now).until, now.toISOString())
})
