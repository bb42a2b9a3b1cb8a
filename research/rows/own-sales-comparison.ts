import { ownSalesByChart, type SalesInChart } from '../../src/domain/estimates/calibrate.ts'
import {
  fitRankLaw,
  minCalibrationDays,
  predictionAtRank,
  type SalesPoint,
} from '../../src/domain/estimates/calibration-fit.ts'
import { type EstimateRange, estimateRangeOf, quantile } from '../../src/domain/estimates/distributions.ts'
import { medianSlope } from '../../src/domain/estimates/priors.ts'
import { rankModelsOf } from '../../src/domain/estimates/rank-models.ts'
import { chartName } from '../../src/vocabulary/chart-identity.ts'
import type { EstimateMetric } from '../../src/vocabulary/estimates.ts'
import type { BacktestContext, BacktestDetail, BacktestOutcome } from '../backtest.ts'
import { bootstrapInterval } from '../statistics.ts'

/** A day of an own app, with estimates made without knowing the app. */
export interface EstimatedOwnDay {
  chart: string
  app: string
  value: number
  /** Days since the first days of the app. */
  horizon: number
  /** The estimate of the model fitted to the other own apps in the chart. */
  law: EstimateRange
  /** The estimate from published figures; null for days without any. */
  published: number | null
  /** The 10th, 50th and 90th percentile of the other apps' figures, at any rank. */
  constant: EstimateRange
  /** The mean of the app's own first days, which is never known for a rival. */
  lastKnown: number
}

/** Number of first days of an app whose mean is used. */
const firstDays = 8

/** Every day of own apps in charts with others, each app left out in turn. */
async function saidDays(
  { db, signal, progress }: BacktestContext,
  metric: EstimateMetric,
): Promise<EstimatedOwnDay[]> {
  const { charts } = await ownSalesByChart(db, new Date())
  const ofMetric = charts.filter((chart) => chart.metric === metric)
  const said: EstimatedOwnDay[] = []
  for (const [done, chart] of ofMetric.entries()) {
    signal.throwIfAborted()
    said.push(...saidInChart(chart))
    progress(done + 1, ofMetric.length)
  }
  return said
}

function saidInChart({ chart, metric, points }: SalesInChart): EstimatedOwnDay[] {
  const year = Number(points[0]?.day.slice(0, 4))
  const [published] = rankModelsOf(chart, [], year).filter(
    ({ currency }) => metric === 'downloads' || currency !== null,
  )
  return [...Map.groupBy(points, ({ app }) => app)].flatMap(([app, days]) => {
    const others = points.filter((point) => point.app !== app)
    if (new Set(others.map(({ day }) => day)).size < minCalibrationDays) return []
    const law = fitRankLaw(others, medianSlope(chart.kind), metric === 'downloads')
    const known = sorted(others.map(({ value }) => value))
    const constant = { low: quantile(known, 0.1), mid: quantile(known, 0.5), high: quantile(known, 0.9) }
    const ordered = days.toSorted((one, other) => (one.day < other.day ? -1 : 1))
    const first = ordered.slice(0, firstDays)
    const lastKnown = first.reduce((sum, { value }) => sum + Math.max(0, value), 0) / first.length
    return ordered.map((point) => ({
      chart: chartName(chart),
      app,
      value: Math.max(0, point.value),
      horizon: daysBetween(first.at(-1) ?? point, point),
      law: estimateRangeOf(predictionAtRank(law, point.rank, metric === 'downloads')),
      published:
        published && point.rank >= published.ranks.from && point.rank <= published.ranks.to
          ? Math.exp(published.at(point.rank).mean)
          : null,
      constant,
      lastKnown,
    }))
  })
}

const daysBetween = (from: SalesPoint, to: SalesPoint) =>
  (Date.parse(to.day) - Date.parse(from.day)) / 86_400_000

/** The median error factor: half of the estimates are within this factor of the true figure. */
export function medianFactor(pairs: readonly (readonly [said: number, real: number])[]): number {
  const errors = pairs.map(([said, real]) => Math.abs(Math.log((said + 0.5) / (real + 0.5))))
  return Math.exp(quantile(sorted(errors), 0.5))
}

export function shareWithinFactor(days: readonly EstimatedOwnDay[], of: 'law' | 'constant'): number {
  return days.filter((day) => day[of].low <= day.value && day.value <= day[of].high).length / days.length
}

const factorOf = (days: readonly EstimatedOwnDay[], of: (day: EstimatedOwnDay) => number) =>
  medianFactor(days.map((day) => [of(day), day.value]))

const horizons = [
  { name: 'the first 8 known days', to: 0 },
  { name: '1 to 7 days later', to: 7 },
  { name: '8 to 28 days later', to: 28 },
  { name: '29 to 90 days later', to: 90 },
  { name: 'more than 90 days later', to: Number.POSITIVE_INFINITY },
]

/** Error and coverage by horizon, chart and app, with a chart over time. */
function detailsOf(days: readonly EstimatedOwnDay[]): BacktestDetail[] {
  const horizonOf = ({ horizon }: EstimatedOwnDay) => horizons.findIndex(({ to }) => horizon <= to)
  const byHorizon = [...Map.groupBy(days, horizonOf)].sort(([one], [other]) => one - other)
  const lines = [
    ['the law of the other apps', (day: EstimatedOwnDay) => day.law.mid],
    ['one figure for all ranks', (day: EstimatedOwnDay) => day.constant.mid],
    ["the app's own first days", (day: EstimatedOwnDay) => day.lastKnown],
  ] as const
  return [
    tableOf(
      'By days since the app was first known',
      'days',
      byHorizon.map(([at, list]) => [horizons[at]?.name ?? '', list]),
    ),
    tableOf('By chart', 'chart', [...Map.groupBy(days, ({ chart }) => chart)]),
    tableOf('By app', 'app', [...Map.groupBy(days, ({ app }) => app)]),
    {
      kind: 'series',
      title: 'Error by days since the app was first known',
      axes: { x: 'days since, to the end of each span', y: 'median factor' },
      lines: lines.map(([name, of]) => ({
        name,
        points: byHorizon.map(([at, list]): [number, number] => [
          Math.min(180, horizons[at]?.to ?? 0),
          factorOf(list, of),
        ]),
      })),
    },
  ]
}

function tableOf(
  title: string,
  first: string,
  groups: readonly (readonly [string, readonly EstimatedOwnDay[]])[],
): BacktestDetail {
  return {
    kind: 'table',
    title,
    columns: [
      first,
      'days',
      'median factor',
      'published',
      'one figure for all ranks',
      "the app's own first days",
      'within the 80 % range, %',
    ],
    rows: groups.slice(0, 500).map(([name, list]) => {
      const known = list.flatMap(({ published, value }) =>
        published === null ? [] : [[published, value] as const],
      )
      return [
        name,
        list.length,
        factorOf(list, ({ law }) => law.mid),
        known.length === 0 ? null : medianFactor(known),
        factorOf(list, ({ constant }) => constant.mid),
        factorOf(list, ({ lastKnown }) => lastKnown),
        100 * shareWithinFactor(list, 'law'),
      ]
    }),
  }
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}

/** Fewer apps are no sample of apps. */
const fewestApps = 3

/**
 * A figure for days of own apps, estimated by the model of the other own apps; the baseline uses the other apps' figures
 * alone.
 * @param fewer the outcome where fewer than three own apps share a chart with others: the reason, or another measure
 * @param more text before the errors
 */
export async function compareWithOwnSales(
  context: BacktestContext,
  metric: EstimateMetric,
  figureOf: (of: 'law' | 'constant') => (days: readonly EstimatedOwnDay[]) => number,
  fewer: (apps: number, needed: number) => BacktestOutcome,
  more: (days: readonly EstimatedOwnDay[]) => BacktestDetail[] = () => [],
): Promise<BacktestOutcome> {
  const days = await saidDays(context, metric)
  const apps = [...Map.groupBy(days, ({ app }) => app).values()]
  if (apps.length < fewestApps) return fewer(apps.length, fewestApps)
  return {
    state: 'measured',
    figure: figureOf('law')(days),
    interval: bootstrapInterval(apps, figureOf('law')),
    baselineFigure: figureOf('constant')(days),
    cases: days.length,
    leftOut: 0,
    details: [...more(days), ...detailsOf(days)],
  }
}

/** The median error factor of the middle of the range. */
export const middleFactor = (of: 'law' | 'constant') => (days: readonly EstimatedOwnDay[]) =>
  factorOf(days, (day) => day[of].mid)
