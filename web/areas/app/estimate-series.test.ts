import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EstimatePoint, estimateFormatOf, estimateLinesOf, estimateSeriesOf } from './estimate-series.ts'

const point = (
  date: string,
  low: number,
  mid: number,
  high: number,
  currency: string | null,
): EstimatePoint => ({
  date,
  metric: currency ? 'revenue' : 'downloads',
  estimate: {
    state: 'estimated',
    low,
    mid,
    high,
    currency,
    method: 'chart-rank',
    version: 'chart-rank/2',
    validRanks: null,
    validation: 'not validated',
  },
  inputs: [],
  observedAt: null,
  source: null,
})

const missing = (date: string, metric: 'downloads' | 'revenue'): EstimatePoint => ({
  date,
  metric,
  estimate: { state: 'not-measured', reason: 'no-snapshot' },
  inputs: [],
  observedAt: null,
  source: null,
})

test('revenue in two currencies is two series, and a metric without a number still has one', () => {
  const points = [
    point('2026-01-01', 1, 2, 3, 'USD'),
    point('2026-01-02', 1, 2, 3, 'EUR'),
    missing('2026-01-03', 'revenue'),
    missing('2026-01-01', 'downloads'),
  ]
  assert.deepEqual(
    estimateSeriesOf(points, 'revenue').map(({ currency, points: own }) => [currency, own.length]),
    [
      ['USD', 2],
      ['EUR', 2],
    ],
  )
  assert.deepEqual(
    estimateSeriesOf(points, 'downloads').map(({ currency }) => currency),
    [null],
  )
})

test('a day without an estimate is a gap in the middle and in both bounds', () => {
  const [series] = estimateSeriesOf(
    [point('2026-01-01', 100, 200, 400, null), missing('2026-01-02', 'downloads')],
    'downloads',
  )
  assert.ok(series)
  const [line] = estimateLinesOf(series, ['2026-01-01', '2026-01-02', '2026-01-03'])
  assert.ok(line)
  assert.deepEqual(
    [line.low, line.values, line.high],
    [
      [100, null, null],
      [200, null, null],
      [400, null, null],
    ],
  )
})

test('a day that another method speaks for stands in a line of its own, so that the change of method is not drawn as a fall', () => {
  const byRatings = point('2026-01-02', 5, 20, 70, null)
  assert.ok(byRatings.estimate.state === 'estimated')
  const [series] = estimateSeriesOf(
    [
      point('2026-01-01', 100, 200, 400, null),
      { ...byRatings, estimate: { ...byRatings.estimate, method: 'rating-growth' } },
      point('2026-01-03', 100, 210, 400, null),
    ],
    'downloads',
  )
  assert.ok(series)
  assert.deepEqual(
    estimateLinesOf(series, ['2026-01-01', '2026-01-02', '2026-01-03']).map(({ name, values }) => [
      name,
      values,
    ]),
    [
      ['From download chart ranks', [200, null, 210]],
      ['From new ratings', [null, 20, null]],
    ],
  )
})

test('numbers are written with the digits that their own range carries', () => {
  const [series] = estimateSeriesOf([point('2026-01-01', 24_600, 54_231, 119_000, null)], 'downloads')
  assert.ok(series)
  assert.equal(estimateFormatOf(series)(54_231), '54K')
  assert.equal(estimateFormatOf(series)(25_000), '25K')
})
