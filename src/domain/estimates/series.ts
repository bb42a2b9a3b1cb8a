import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { estimateMethods, type Method, type Metric, type NoEstimate } from '../../vocabulary/estimates.ts'
import type { Range, Ranks } from './power-law.ts'
import { type Input, type RankModel, rounded } from './rank-models.ts'
import { downloadsFromRatings, growthAround, type RatingCount, ratingsPerDownload } from './rating-growth.ts'

/** One app's place in one chart on the days it was captured. */
export interface ChartDays {
  chart: ChartIdentity
  /** By storefront date; a null rank means not among `depth` places. */
  days: ReadonlyMap<string, { rank: number | null; depth: number }>
  /** The models for a day, the best first. */
  modelsOn(day: string): readonly RankModel[]
}

/** Everything an estimate is made from. */
export interface Evidence {
  /** Days to estimate, oldest first. */
  days: readonly string[]
  charts: readonly ChartDays[]
  /** Oldest first. */
  ratings: readonly RatingCount[]
  /** Versions of the model that could be used for any day of it. */
  versions: readonly string[]
}

export interface EstimatedDay {
  metric: Metric
  day: string
  /** The formula, with the calibration it used: `chart-rank/1 (cal-3)`. */
  version: string
  method: Method | null
  range: Range | null
  currency: string | null
  ranks: Ranks | null
  calibrationId: number | null
  inputs: readonly Input[]
  /** Why there is no range; null when there is one. */
  reason: NoEstimate | null
}

/** Raised when a formula or a published number changes: its series then begins anew beside the old one. */
export const estimateFormulas = {
  'chart-rank': 'chart-rank/1',
  'rating-growth': 'rating-growth/1',
  'grossing-rank': 'grossing-rank/1',
} as const satisfies Record<Method, string>

function versionOf(method: Method, calibrationId: number | null): string {
  return calibrationId === null
    ? estimateFormulas[method]
    : `${estimateFormulas[method]} (cal-${calibrationId})`
}

/** Every version that a storefront with these calibrations in use can give. */
export function versionsInForce(calibrationIds: readonly number[]): string[] {
  return [null, ...calibrationIds].flatMap((id) => estimateMethods.map((method) => versionOf(method, id)))
}

const methodOf: Record<Metric, 'chart-rank' | 'grossing-rank'> = {
  downloads: 'chart-rank',
  revenue: 'grossing-rank',
}

/** Downloads and revenue of every day, oldest first: a range with what made it, or the reason why there is none. */
export function estimateDays(evidence: Evidence): EstimatedDay[] {
  return evidence.days.flatMap((day) => [
    estimateDownloads(evidence, day),
    estimateOn(evidence, day, 'revenue'),
  ])
}

/** Growth of ratings speaks only where no chart does. */
function estimateDownloads(evidence: Evidence, day: string): EstimatedDay {
  const byRank = estimateOn(evidence, day, 'downloads')
  if (byRank.range) return byRank
  const growth = growthAround(evidence.ratings, day)
  if (!growth) return byRank
  const range = downloadsFromRatings(growth)
  const inputs = [
    { name: 'ratings gained', value: growth.gained },
    { name: 'between', value: `${growth.from} and ${growth.to}` },
    {
      name: 'assumed ratings per download',
      value: `${ratingsPerDownload.mid} (${ratingsPerDownload.low} to ${ratingsPerDownload.high})`,
    },
  ]
  if (!range) return { ...byRank, inputs: [...byRank.inputs, ...inputs], reason: 'too-little-evidence' }
  return {
    ...byRank,
    version: versionOf('rating-growth', null),
    method: 'rating-growth',
    range: roundedRange(range),
    inputs,
    reason: null,
  }
}

interface Spoken {
  model: RankModel
  range: Range
  ranks: Ranks
  chart: ChartIdentity
  rank: number
  depth: number
}

/** What the charts of a metric say of a day: those of them the operator calibrated first, then the narrowest range. */
function estimateOn({ charts }: Evidence, day: string, metric: Metric): EstimatedDay {
  const method = methodOf[metric]
  const ofMetric = charts.filter(({ chart }) => (chart.kind === 'top-grossing') === (metric === 'revenue'))
  const looked = ofMetric.flatMap((entry) => {
    const place = entry.days.get(day)
    return place ? [{ ...entry, ...place }] : []
  })
  const spoken = looked.flatMap(({ chart, rank, depth, modelsOn }) =>
    rank === null ? [] : (speak(chart, rank, depth, modelsOn(day)) ?? []),
  )
  const best = spoken.sort(betterFirst)[0]
  if (best) return estimated(day, metric, method, best)
  const ranked = looked.filter(({ rank }) => rank !== null)
  const named = ranked.length > 0 ? ranked : looked
  return {
    metric,
    day,
    version: versionOf(method, null),
    method: null,
    range: null,
    currency: null,
    ranks: null,
    calibrationId: null,
    inputs: named.slice(0, 1).flatMap(({ chart, rank, depth }) => placeInputs(chart, rank, depth)),
    reason:
      looked.length === 0
        ? 'no-snapshot'
        : ranked.length > 0 && ranked.every(({ modelsOn }) => modelsOn(day).length === 0)
          ? 'too-little-evidence'
          : 'outside-valid-range',
  }
}

/** The first model that speaks about a rank; never past the last place that was looked at. */
function speak(
  chart: ChartIdentity,
  rank: number,
  depth: number,
  models: readonly RankModel[],
): Spoken | undefined {
  const model = models.find(({ ranks }) => rank >= ranks.from && rank <= ranks.to)
  if (!model) return undefined
  const ranks = { from: model.ranks.from, to: Math.min(model.ranks.to, Math.max(depth, rank)) }
  return { model, range: model.at(rank), ranks, chart, rank, depth }
}

function betterFirst(one: Spoken, other: Spoken): number {
  return (
    Number(other.model.calibrated) - Number(one.model.calibrated) ||
    one.range.high / one.range.low - other.range.high / other.range.low ||
    one.rank - other.rank
  )
}

function estimated(
  day: string,
  metric: Metric,
  method: Method,
  { model, range, ranks, chart, rank, depth }: Spoken,
): EstimatedDay {
  return {
    metric,
    day,
    version: versionOf(method, model.calibrationId),
    method,
    range: roundedRange(range),
    currency: model.currency,
    ranks,
    calibrationId: model.calibrationId,
    inputs: [...placeInputs(chart, rank, depth), ...model.inputs],
    reason: null,
  }
}

function placeInputs(chart: ChartIdentity, rank: number | null, depth: number): Input[] {
  const named = { name: 'chart', value: chartName(chart) }
  return rank === null
    ? [named, { name: 'places looked at', value: depth }]
    : [{ name: 'rank', value: rank }, named]
}

function roundedRange({ low, mid, high }: Range): Range {
  return { low: rounded(low), mid: rounded(mid), high: rounded(high) }
}
