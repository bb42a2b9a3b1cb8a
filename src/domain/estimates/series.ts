import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import {
  type EstimateMethod,
  type EstimateMetric,
  estimateMethods,
  type NoEstimate,
} from '../../vocabulary/estimates.ts'
import type { EstimateRange, RankRange } from './distributions.ts'
import { type ChartLook, estimateFrom, isChart } from './estimate-from.ts'
import { maxDriftDays } from './priors.ts'
import type { EstimateInput, RankModel } from './rank-models.ts'
import { type RatingCount, ratingGrowthAround } from './rating-growth.ts'

/** One app's place in one chart on the days it was captured. */
export interface ChartDays {
  chart: ChartIdentity
  /** By storefront date; a null rank means not among `depth` places. */
  days: ReadonlyMap<string, ChartDay>
  /**
   * Whether the app would be in the chart on a day with enough downloads or revenue: the chart has its kind and category.
   */
  couldHoldOn(day: string): boolean
  /** The models for a day, the best first. */
  modelsOn(day: string): readonly RankModel[]
}

export interface ChartDay {
  rank: number | null
  depth: number
  /** Whether some places could not be read, so that the app may be at one of them. */
  gaps?: boolean
}

/** All evidence of the estimates of an app. */
export interface EstimateEvidence {
  /** Days to estimate, oldest first. */
  days: readonly string[]
  charts: readonly ChartDays[]
  /** Oldest first. */
  ratings: readonly RatingCount[]
  /** The start of the available evidence, where older evidence was removed or is not read; undefined where there is none. */
  since?: string
  /** Versions of the model that could be used for any of these days. */
  versions: readonly string[]
}

export interface EstimatedDay {
  metric: EstimateMetric
  day: string
  /** The formula, with the calibration it used: `chart-rank/4 (cal-3)`. */
  version: string
  method: EstimateMethod | null
  range: EstimateRange | null
  currency: string | null
  ranks: RankRange | null
  calibrationId: number | null
  inputs: readonly EstimateInput[]
  /** Why there is no range; null when there is one. */
  reason: NoEstimate | null
}

/** A version is raised when a formula or a published number changes: a new series then begins beside the old one. */
export const estimateFormulas = {
  'chart-rank': 'chart-rank/4',
  'rating-growth': 'rating-growth/4',
  'grossing-rank': 'grossing-rank/3',
} as const satisfies Record<EstimateMethod, string>

function versionOf(method: EstimateMethod, calibrationId: number | null): string {
  return calibrationId === null
    ? estimateFormulas[method]
    : `${estimateFormulas[method]} (cal-${calibrationId})`
}

/** Every version that can occur in a storefront with these calibrations in use. */
export function possibleVersions(calibrationIds: readonly number[]): string[] {
  return [null, ...calibrationIds].flatMap((id) => estimateMethods.map((method) => versionOf(method, id)))
}

const methodOf: Record<EstimateMetric, 'chart-rank' | 'grossing-rank'> = {
  downloads: 'chart-rank',
  revenue: 'grossing-rank',
}

/**
 * Downloads and revenue of every day, oldest first: a range with its inputs, or the reason why there is none. Leaves out
 * days whose estimate may have used a rank that was removed since: their stored estimates stay.
 */
export function estimateDays(evidence: EstimateEvidence): EstimatedDay[] {
  const charts = evidence.charts.map((chart) => ({ ...chart, nearest: nearestRank(chart) }))
  const series = { charts, ratings: evidence.ratings }
  const { since } = evidence
  return evidence.days
    .filter((day) => since === undefined || !mayHaveLostRank(series, since, day))
    .flatMap((day) => [estimateOn(series, day, 'downloads'), estimateOn(series, day, 'revenue')])
}

/**
 * Whether a day without the app in any chart is closer to removed evidence than to any remaining rank, of an app with ranks.
 */
function mayHaveLostRank({ charts }: Series, since: string, day: string): boolean {
  const age = (Date.parse(day) - Date.parse(since)) / dayMs
  if (age >= maxDriftDays.alone) return false
  const apart = charts.flatMap(({ nearest }) => nearest(day)?.of.apart ?? [])
  return apart.length > 0 && apart.every((days) => days > age)
}

interface Series {
  charts: readonly (ChartDays & { nearest: ReturnType<typeof nearestRank> })[]
  ratings: readonly RatingCount[]
}

/**
 * Finds the nearest capture of ten places or more that shows the app on or around a day: the older of two equally near;
 * undefined where there is none.
 */
function nearestRank({ chart, days, modelsOn }: ChartDays) {
  const shown = [...days].flatMap(([day, { rank, depth }]) =>
    rank === null || !isChart({ depth }) ? [] : [{ day, rank, depth, time: Date.parse(day) }],
  )
  shown.sort((one, other) => one.time - other.time)
  return (day: string): (ChartLook & { of: { day: string; apart: number } }) | undefined => {
    const time = Date.parse(day)
    let [from, to] = [0, shown.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((shown[middle]?.time ?? 0) < time) from = middle + 1
      else to = middle
    }
    const [older, newer] = [shown[from - 1], shown[from]]
    const near = older && (!newer || time - older.time <= newer.time - time) ? older : newer
    if (!near) return undefined
    const { rank, depth } = near
    const of = { day: near.day, apart: Math.abs(near.time - time) / dayMs }
    return { chart, rank, depth, couldHold: true, models: modelsOn(near.day), of }
  }
}

const dayMs = 86_400_000

/** Estimates a day from all its evidence: the app's ranks, charts without it, and for downloads the ratings it gained. */
function estimateOn({ charts, ratings }: Series, day: string, metric: EstimateMetric): EstimatedDay {
  const ofMetric = charts.filter(({ chart }) => chartRow(chart.kind).ranksBy === metric)
  const looked: ChartLook[] = []
  for (const { chart, couldHoldOn, days, modelsOn } of ofMetric) {
    const place = days.get(day)
    if (place) looked.push({ chart, couldHold: couldHoldOn(day), ...place, models: modelsOn(day) })
  }
  const growth = metric === 'downloads' ? ratingGrowthAround(ratings, day) : undefined
  const found = estimateFrom(looked, growth, () =>
    ofMetric.flatMap(({ nearest }) => {
      const near = nearest(day)
      // A falling number of ratings is no evidence.
      const longest = growth && growth.gained >= 0 ? maxDriftDays.withRatings : maxDriftDays.alone
      return near && near.of.apart > 0 && near.of.apart <= longest ? [near] : []
    }),
  )
  const named = { metric, day, inputs: found.inputs }
  if (found.range) {
    const { range, currency, ranks, calibrationId } = found
    const method = found.from === 'ratings' ? 'rating-growth' : methodOf[metric]
    return {
      ...named,
      version: versionOf(method, calibrationId),
      method,
      range,
      currency,
      ranks,
      calibrationId,
      reason: null,
    }
  }
  return {
    ...named,
    version: versionOf(methodOf[metric], null),
    method: null,
    range: null,
    currency: null,
    ranks: null,
    calibrationId: null,
    reason: found.reason,
  }
}
