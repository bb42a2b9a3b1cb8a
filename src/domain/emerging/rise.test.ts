import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entryOf } from './entry.ts'
import { riseOf } from './rise.ts'
import { type Places, standingsIn } from './standings.ts'
import { watchedChart } from './watched-charts.ts'

const dayMs = 86_400_000
const capture = (day: number, storeIds: readonly (string | number)[]): Places => ({
  capturedAt: day * dayMs,
  storeIds: storeIds.map(String),
})
const chart = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
const rise = (ranks: readonly number[], depth = 100) =>
  riseOf(
    ranks,
    ranks.map(() => depth),
    0,
    ranks.length,
  )

test('standings hold every rank of every app, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(chart, { minLength: 1, maxLength: 6 }), (charts) => {
      const standings = standingsIn(charts.map((ids, day) => capture(day, ids)))
      assert.deepEqual(new Set(standings.keys()), new Set(charts.flat().map(String)))
      for (const [storeId, ranks] of standings)
        assert.deepEqual(
          [...ranks],
          charts.map((ids) => ids.indexOf(Number(storeId)) + 1),
        )
    }),
  )
})

test('whatever one capture in the midst of others holds, it makes no entry and no rise', () => {
  fc.assert(
    fc.property(chart, fc.uniqueArray(fc.integer({ min: 100, max: 200 })), (usual, odd) => {
      const before = capture(0, usual)
      const within = [capture(1, usual), capture(2, odd), capture(3, usual)]
      for (const ranks of standingsIn([before, ...within]).values()) {
        if (!ranks[0]) assert.equal(entryOf(ranks.subarray(1), before, within), undefined)
        assert.equal(riseOf(ranks, [40, 40, 40, 40], 0, 4), undefined)
      }
    }),
  )
})

test('an entry needs a capture before the window that looked as deep, and the app in the newest one', () => {
  const within = [capture(1, [1, 2, 3]), capture(2, [1, 9, 3])]
  const found = [0, 2]
  assert.equal(entryOf(found, undefined, within), undefined)
  assert.equal(entryOf(found, capture(0, [1]), within), undefined)
  assert.equal(entryOf([2, 0], capture(0, [1, 2, 3]), within), undefined)
  assert.deepEqual(entryOf(found, capture(0, [1, 2, 3]), within), { rank: 2, best: 2, captures: 1, days: 1 })
})

test('a rise is the middle of the newest ranks against the past, confirmed by the newest rank', () => {
  assert.deepEqual(rise([40, 40, 40, 12, 12, 12]), { from: 40, to: 12, rank: 12, best: 12, held: 3 })
  assert.deepEqual(rise([40, 42, 41, 20, 18, 19]), { from: 41, to: 19, rank: 19, best: 18, held: 3 })
  assert.equal(rise([40, 40, 40, 12, 12, 5]), undefined, 'a jump that nobody saw held')
  assert.equal(rise([40, 40, 40, 5, 10, 12]), undefined, 'past its peak')
  assert.equal(rise([40, 12, 12]), undefined, 'three captures are behind a level, and one before them')
  assert.equal(rise([40, 40, 0, 12, 12, 12])?.from, 40)
  assert.equal(rise([40, 40, 40, 12, 0, 12]), undefined, 'it was away')
  assert.equal(rise([0, 0, 0, 12, 12, 12]), undefined, 'who never stood there before has entered')
})

test('one odd rank, wherever it stands, neither makes a rise of a steady app nor names a level nobody held', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 100 }),
      fc.integer({ min: 4, max: 30 }),
      fc.nat(),
      fc.integer({ min: 1, max: 100 }),
      (usual, count, where, odd) => {
        const ranks = Array.from({ length: count }, () => usual)
        ranks[where % count] = odd
        if (count - 3 > 2) assert.equal(rise(ranks), undefined)
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 }), (ranks) => {
      const found = rise(ranks)
      if (!found) return
      assert.ok(found.from > found.to && found.rank >= found.to && found.rank <= 2 * found.best)
      assert.ok(found.held >= 3 && ranks.slice(-3).every((rank) => rank > 0))
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
