import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EstimatePoint, formatOf, lineOf, seriesOf } from './estimate-series.ts'

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
    state: 'measured',
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
    seriesOf(points, 'revenue').map(({ currency, points: own }) => [currency, own.length]),
    [
      ['USD', 2],
      ['EUR', 2],
    ],
  )
  assert.deepEqual(
    seriesOf(points, 'downloads').map(({ currency }) => currency),
    [null],
  )
})

test('a day without an estimate is a gap in the middle and in both bounds', () => {
  const [series] = seriesOf(
    [point('2026-01-01', 100, 200, 400, null), missing('2026-01-02', 'downloads')],
    'downloads',
  )
  assert.ok(series)
  const line = lineOf(series, ['2026-01-01', '2026-01-02', '2026-01-03'])
  assert.deepEqual(
    [line.low, line.values, line.high],
    [
      [100, null, null],
      [200, null, null],
      [400, null, null],
    ],
  )
})

test('numbers are written with the digits that their own range carries', () => {
  const [series] = seriesOf([point('2026-01-01', 24_600, 54_231, 119_000, null)], 'downloads')
  assert.ok(series)
  assert.equal(formatOf(series)(54_231), '54K')
  assert.equal(formatOf(series)(25_000), '25K')
})
