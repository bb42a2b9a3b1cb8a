import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CapturePlaces, entranceOf, moveUpOf, ranksByApp } from './moves.ts'
import { watchedChart } from './watched-charts.ts'

const dayMs = 86_400_000
const capture = (day: number, storeIds: readonly (string | number)[]): CapturePlaces => ({
  capturedAt: day * dayMs,
  storeIds: storeIds.map(String),
})
const chart = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
const moveUp = (ranks: readonly number[]) => moveUpOf(ranks, 0, ranks.length)

test('standings hold every rank of every app, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(chart, { minLength: 1, maxLength: 6 }), (charts) => {
      const ranksOfApps = ranksByApp(charts.map((ids, day) => capture(day, ids)))
      assert.deepEqual(new Set(ranksOfApps.keys()), new Set(charts.flat().map(String)))
      for (const [storeId, ranks] of ranksOfApps)
        assert.deepEqual(
          [...ranks],
          charts.map((ids) => ids.indexOf(Number(storeId)) + 1),
        )
    }),
  )
})

test('whatever one capture in the midst of others holds, it makes no entry and no move up', () => {
  fc.assert(
    fc.property(chart, fc.uniqueArray(fc.integer({ min: 100, max: 200 })), (usual, odd) => {
      const before = capture(0, usual)
      const within = [capture(1, usual), capture(2, odd), capture(3, usual)]
      for (const ranks of ranksByApp([before, ...within]).values()) {
        if (!ranks[0]) assert.equal(entranceOf(ranks.subarray(1), before, within), undefined)
        assert.equal(moveUpOf(ranks, 0, 4), undefined)
      }
    }),
  )
})

test('an entry needs a capture before the window that looked as deep, and the app in the newest one', () => {
  const within = [capture(1, [1, 2, 3]), capture(2, [1, 9, 3])]
  const found = [0, 2]
  assert.equal(entranceOf(found, undefined, within), undefined)
  assert.equal(entranceOf(found, capture(0, [1]), within), undefined)
  assert.equal(entranceOf([2, 0], capture(0, [1, 2, 3]), within), undefined)
  assert.deepEqual(entranceOf(found, capture(0, [1, 2, 3]), within), { rank: 2, best: 2, captures: 1, days: 1 })
})

test('a move up is two ranks that captures show: the best of the oldest three, and the newest of three that all beat it', () => {
  assert.deepEqual(moveUp([40, 42, 41, 20, 18, 19]), { from: 40, since: 0, rank: 19 })
  assert.deepEqual(moveUp([42, 40, 41, 30, 14, 12, 5]), { from: 40, since: 1, rank: 5 }, 'it climbs still')
  assert.deepEqual(moveUp([0, 0, 40, 0, 12, 12, 12]), { from: 40, since: 2, rank: 12 })
  assert.equal(moveUp([40, 40, 40, 12, 0, 12]), undefined, 'it was away')
  assert.equal(moveUp([40, 40, 40, 12, 38, 12]), undefined, 'one of the newest three gave it back')
  assert.equal(moveUp([40, 12, 12]), undefined, 'three captures, and one before them')
  assert.equal(moveUp([0, 0, 0, 12, 12, 12]), undefined, 'who never stood there before has entered')
  assert.equal(moveUp([12, 12, 12, 11, 11, 11]), undefined, 'a place of twelve is no move')
  assert.equal(moveUp([]), undefined)
})

test('one odd rank, wherever it stands, makes no move up of a steady app, and what is told stands in the captures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 100 }),
      fc.integer({ min: 6, max: 30 }),
      fc.nat(),
      fc.integer({ min: 1, max: 100 }),
      (usual, count, where, odd) => {
        const ranks = Array.from({ length: count }, () => usual)
        ranks[where % count] = odd
        assert.equal(moveUp(ranks), undefined)
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 }), (ranks) => {
      const found = moveUp(ranks)
      if (!found) return
      assert.ok(found.from > found.rank && ranks[found.since] === found.from && ranks.at(-1) === found.rank)
      assert.ok(ranks.slice(-3).every((rank) => rank > 0 && rank < found.from))
    }),
  )
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
