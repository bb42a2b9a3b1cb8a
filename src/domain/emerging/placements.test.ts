import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { climbOf, entryOf } from './chart-moves.ts'
import { type Places, placementsOf } from './placements.ts'
import { watchedChart } from './watched-charts.ts'

const dayMs = 86_400_000
const capture = (day: number, storeIds: readonly (string | number)[]): Places => ({
  capturedAt: day * dayMs,
  storeIds: storeIds.map(String),
})
const chart = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })

test('every app of the newest capture has its rank, and others are there when two captures show them', () => {
  fc.assert(
    fc.property(chart, fc.array(chart, { minLength: 1, maxLength: 6 }), (before, charts) => {
      const within = charts.map((ids, day) => capture(day + 1, ids))
      const placements = placementsOf(capture(0, before), within)
      const newest = charts.at(-1) ?? []
      assert.deepEqual(
        new Map(placements.flatMap(({ storeId, newest: rank }) => (rank === null ? [] : [[storeId, rank]]))),
        new Map(newest.map((id, index) => [String(id), index + 1])),
      )
      for (const { storeId, captures, best, firstAt } of placements) {
        const ranks = charts.map((ids) => ids.indexOf(Number(storeId)) + 1).filter((rank) => rank > 0)
        assert.deepEqual([captures, best], [ranks.length, Math.min(...ranks)])
        assert.ok(captures > 1 || newest.includes(Number(storeId)))
        assert.equal(firstAt, (charts.findIndex((ids) => ids.includes(Number(storeId))) + 1) * dayMs)
      }
    }),
  )
})

test('whatever one capture in the midst of others holds, it makes no entry and no climb', () => {
  fc.assert(
    fc.property(chart, fc.uniqueArray(fc.integer({ min: 100, max: 200 })), (usual, odd) => {
      const before = capture(0, usual)
      const within = [capture(1, usual), capture(2, odd), capture(3, usual)]
      for (const placement of placementsOf(before, within)) {
        assert.equal(entryOf(placement, before, within), undefined)
        assert.equal(climbOf(placement, within), undefined)
      }
    }),
  )
})

test('without a capture before the window nothing is an entry', () => {
  fc.assert(
    fc.property(fc.array(chart, { minLength: 1, maxLength: 4 }), (charts) => {
      const within = charts.map((ids, day) => capture(day + 1, ids))
      for (const placement of placementsOf(undefined, within))
        assert.equal(entryOf(placement, undefined, within), undefined)
    }),
  )
})

test('a climb tells from where an app began to where it is, and when it last stood where it began', () => {
  const others = Array.from({ length: 60 }, (_, index) => 1000 + index)
  const at = (rank: number) => others.toSpliced(rank - 1, 0, 7)
  const before = capture(0, at(40))
  const within = [capture(1, at(44)), capture(2, at(40)), capture(3, at(20)), capture(4, at(5))]
  const climber = placementsOf(before, within).find(({ storeId }) => storeId === '7')
  assert.deepEqual(climber && climbOf(climber, within), { from: 40, to: 5, days: 2 })
  const settled = placementsOf(before, within).find(({ storeId }) => storeId === '1010')
  assert.equal(settled && climbOf(settled, within), undefined)
})

test('of a day the last usable capture counts, and the newest one before the window is what entries are held against', () => {
  const at = (day: string, hour: number) => Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  const captures: [number, string, number][] = [
    [at('2026-01-01', 6), '2026-01-01', 100],
    [at('2026-02-20', 6), '2026-02-20', 100],
    [at('2026-02-21', 6), '2026-02-21', 48],
    [at('2026-03-01', 6), '2026-03-01', 100],
    [at('2026-03-01', 18), '2026-03-01', 50],
    [at('2026-03-02', 6), '2026-03-02', 98],
    [at('2026-03-02', 18), '2026-03-02', 10],
  ]
  assert.deepEqual(watchedChart({ chartId: 1, captures }, '2026-03-02', 7), {
    chartId: 1,
    before: { chartId: 1, capturedAt: at('2026-02-20', 6) },
    within: [
      { chartId: 1, capturedAt: at('2026-03-01', 18) },
      { chartId: 1, capturedAt: at('2026-03-02', 6) },
    ],
  })
  assert.equal(watchedChart({ chartId: 1, captures }, '2026-04-30', 7), undefined)
  assert.equal(
    watchedChart({ chartId: 1, captures }, '2026-03-02', 45)?.before?.capturedAt,
    at('2026-01-01', 6),
  )
})
