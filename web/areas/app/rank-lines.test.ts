import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppChart, type ChartHistory, rankedChartsOf, rankLineOf } from './rank-lines.ts'

const day = (date: string, rank: AppChart['series'][number]['rank']) => ({
  date,
  rank,
  observedAt: null,
  source: null,
})

const chart = (part: Partial<AppChart>, best: number): AppChart =>
  ({
    country: 'us',
    chart: 'top-free',
    categoryId: '36',
    categoryName: 'All apps',
    device: 'iphone',
    best: { rank: best },
    series: [],
    ...part,
  }) as unknown as AppChart

const history = (charts: AppChart[]) => ({ charts, sources: [] }) as unknown as ChartHistory

test('names of charts hold what tells them apart and nothing else', () => {
  const name = (country: string) => country.toUpperCase()
  const one = rankedChartsOf([history([chart({}, 3)])], [], name)
  assert.deepEqual(
    one.map(({ name }) => name),
    ['Top Free'],
  )
  const several = rankedChartsOf(
    [
      history([chart({}, 3), chart({ categoryId: '6015', categoryName: 'Finance' }, 1)]),
      history([chart({ country: 'de', chart: 'top-grossing' }, 2)]),
    ],
    [],
    name,
  )
  assert.deepEqual(
    several.map(({ name }) => name),
    ['US · Top Free · Finance', 'DE · Top Grossing · All apps', 'US · Top Free · All apps'],
  )
})

test('only the kinds asked for are drawn', () => {
  const charts = rankedChartsOf(
    [history([chart({}, 3), chart({ chart: 'top-grossing' }, 9)])],
    ['top-grossing'],
    String,
  )
  assert.deepEqual(
    charts.map(({ chart }) => chart.chart),
    ['top-grossing'],
  )
})

test('outside the chart is told from days without a snapshot, and both from a rank', () => {
  const drawn = rankedChartsOf(
    [
      history([
        chart(
          {
            series: [
              day('2026-01-01', { state: 'measured', value: 7, depth: 100 }),
              day('2026-01-02', { state: 'absent', depth: 100 }),
              day('2026-01-03', { state: 'not-measured', reason: 'no-snapshot' }),
            ],
          },
          7,
        ),
      ]),
    ],
    [],
    String,
  )[0]
  assert.ok(drawn)
  const { values, absent } = rankLineOf(drawn, ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'])
  assert.deepEqual(values, [7, null, null, null])
  assert.deepEqual(absent, [false, true, false, false])
})
