import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CaptureList } from '../charts/history-queries.ts'
import { backtestEmerging, type ChartHistory, followAppsOfChart } from './backtest.ts'
import { backtestInWords, chartsToRead } from './stored-backtest.ts'

const settings = { horizons: [5, 10], windowDays: 14 }
const dayAt = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)
const history = (charts: readonly (readonly number[])[]): ChartHistory =>
  charts.map((ids, index) => ({
    day: dayAt(index),
    capturedAt: Date.parse(dayAt(index)),
    storeIds: ids.map(String),
  }))
const charts = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 5, maxLength: 20 }), {
  minLength: 1,
  maxLength: 25,
})

test('every place of every judged day moved up or did not, and which does not depend on later days', () => {
  fc.assert(
    fc.property(charts, charts, (before, after) => {
      const found = backtestEmerging([history(before)], settings)
      for (const { days, movedUp, others } of found.after)
        assert.equal(
          movedUp.flags + others.flags,
          before.slice(3, Math.max(3, before.length - days)).flat().length,
        )
      const early = { ...settings, horizons: [1] }
      const [alone, more] = [before, [...before, ...after]].map((some) =>
        followAppsOfChart(history(some), early).flatMap(({ movedUp }) =>
          movedUp.filter(({ day }) => day < dayAt(before.length - 1)),
        ),
      )
      assert.deepEqual(more, alone)
    }),
    { numRuns: 50 },
  )
})

test('apps that moved up are held against the others, their neighbours, and those below their own median', () => {
  // App 50 climbs from the last place to the tenth within ten days, and falls back to the last.
  const steady = Array.from({ length: 49 }, (_, index) => index + 1)
  const placed = (at: number) => steady.toSpliced(at - 1, 0, 50)
  const climbs = [50, 50, 50, 50, 40, 30, 20, 10, 10, 10, 10, ...Array.from({ length: 10 }, () => 50)]
  const [five, ten] = followAppsOfChart(history(climbs.map(placed)), settings)
  assert.deepEqual(
    five?.movedUp.map(({ storeId, day, change }) => [storeId, day, change]),
    [
      ['50', dayAt(6), 30],
      ['50', dayAt(7), 40],
      ['50', dayAt(8), 40],
      ['50', dayAt(9), 40],
      ['50', dayAt(10), 40],
    ],
  )
  assert.equal(five.movedUp[0]?.charting, true)
  assert.deepEqual(new Set(five.sameRanks.slice(-2).map(({ storeId }) => storeId)), new Set(['9', '10']))
  assert.ok(
    five.belowMedian.some(({ storeId, day }) => storeId === '10' && day === dayAt(7)),
    'one that was passed stands below its own median',
  )
  assert.deepEqual([ten?.movedUp.length, ten?.movedUp.every(({ change }) => change > 0)], [5, true])
})

test('a chart of one entry, few moves and no charts give too little evidence, and no number', () => {
  const stable = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const charted of [stable, [1], []]) {
    const short = backtestEmerging([history(Array.from({ length: 12 }, () => charted))], settings)
    assert.equal(short.verdict, 'not-validated')
    assert.ok(short.after.every(({ movedUp }) => movedUp.better === null))
    assert.match(backtestInWords(short), /^not enough data on these charts .* 0 apps that moved up/)
  }
  assert.deepEqual(backtestEmerging([], settings).from, null)
})

test('a back-test of stored charts reads the charts with most days, as many as its bound of captures holds', () => {
  const list = (chartId: number, days: number): CaptureList => ({
    chartId,
    // Two captures a day, of which the later one counts.
    captures: Array.from({ length: 2 * days }, (_, at) => [at, dayAt(at >> 1), 100]),
  })
  const lists = [list(1, 10), list(2, 40), list(3, 30), list(4, 40)]
  const read = (most: number) => chartsToRead(lists, most).map(({ chartId }) => chartId)
  assert.deepEqual(read(120), [2, 4, 3, 1])
  assert.deepEqual(read(119), [2, 4, 3])
  assert.deepEqual(read(85), [2, 4])
  assert.deepEqual(read(5), [2], 'one is always read')
})
