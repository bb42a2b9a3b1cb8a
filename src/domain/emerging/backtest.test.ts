import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CaptureList } from '../charts/history-queries.ts'
import { backtestEmerging, type ChartHistory } from './backtest.ts'
import { backtestInWords } from './backtest-words.ts'
import { chartsToRead } from './stored-backtest.ts'

const settings = { horizonDays: 5, windowDays: 14 }
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

test('every place of every judged day is in one group, and who is named does not depend on later days', () => {
  fc.assert(
    fc.property(charts, charts, (before, after) => {
      const until = dayAt(before.length - 1)
      const found = backtestEmerging([history(before)], settings)
      const judged = before.slice(3, Math.max(3, before.length - settings.horizonDays))
      const flags = [found.rising, found.newEntrants, found.others].map((group) => group.flags)
      assert.equal(
        flags.reduce((sum, one) => sum + one),
        judged.flat().length,
      )
      const early = { ...settings, horizonDays: 1, until: dayAt(before.length - 2) }
      const [alone, more] = [before, [...before, ...after]].map((some) =>
        backtestEmerging([history(some)], early),
      )
      assert.deepEqual(more, alone)
      assert.ok(found.until === null || found.until <= until)
    }),
    { numRuns: 50 },
  )
})

test('charts with few moves validate nothing, and say so', () => {
  const stable = Array.from({ length: 20 }, (_, index) => index + 1)
  const short = backtestEmerging([history(Array.from({ length: 12 }, () => stable))], settings)
  assert.deepEqual([short.verdict, short.lift], ['not-validated', null])
  assert.match(backtestInWords(short), /^not validated on these charts: .* rising apps: 0,/)
  assert.deepEqual(backtestEmerging([], settings).from, null)
})

test('a back-test of stored charts reads the charts with most days, as many as its bound of captures holds', () => {
  const list = (chartId: number, days: number): CaptureList => ({
    chartId,
    // Two captures a day, of which the later counts.
    captures: Array.from({ length: 2 * days }, (_, at) => [at, dayAt(at >> 1), 100]),
  })
  const lists = [list(1, 10), list(2, 40), list(3, 30), list(4, 40)]
  const read = (most: number) => chartsToRead(lists, most).map(({ chartId }) => chartId)
  assert.deepEqual(read(120), [2, 4, 3, 1])
  assert.deepEqual(read(119), [2, 4, 3])
  assert.deepEqual(read(85), [2, 4])
  assert.deepEqual(read(5), [2], 'one is always read')
})
