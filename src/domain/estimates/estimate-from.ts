import { formatNumber } from '../../text/numbers.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import type { NoEstimate } from '../../vocabulary/estimates.ts'
import { type EstimateRange, estimateRangeOf, type RankRange } from './distributions.ts'
import {
  disagreementInput,
  evidenceInput,
  placeInputs,
  rankInputs,
  ratingGrowthInput,
  ratingInputs,
  sensitivityInput,
} from './estimate-inputs.ts'
import { type Bound, type ChartRankEvidence, combineRanks, posteriorOf } from './posterior.ts'
import { driftVariance } from './priors.ts'
import { type EstimateInput, type RankModel, toThreeDigits, totalDistributionOf } from './rank-models.ts'
import { evidenceOfRatings, type RatingGrowth } from './rating-growth.ts'

/** A chart captured on a day, with the app's place in it. */
export interface ChartLook {
  chart: ChartIdentity
  rank: number | null
  depth: number
  gaps?: boolean
  couldHold: boolean
  /** For a capture of another day: that day, and the number of days between. */
  of?: { day: string; apart: number }
  /** The best model first. */
  models: readonly RankModel[]
}

export type EstimateOutcome =
  | {
      range: EstimateRange
      /** The evidence with the most weight. */
      from: 'charts' | 'ratings'
      currency: string | null
      ranks: RankRange | null
      calibrationId: number | null
      inputs: EstimateInput[]
    }
  | { range: null; reason: NoEstimate; inputs: EstimateInput[] }

interface Ranked extends ChartRankEvidence {
  chart: ChartIdentity
  rank: number
  depth: number
  model: RankModel
  of: ChartLook['of']
}

interface Bounding extends Bound {
  says: string
}

/** The input with the accuracy of such ranges on own sales. */
export const accuracyInput = 'validation'

const ratingsUnvalidated = 'not validated: how many ratings follow a download is assumed'

/** Logarithm of the minimum of a day: a tenth, or one where the app is in a chart without other evidence. */
const leastOfAll = Math.log(0.1)
const leastInChart = 0
/** Charts with fewer places are not used: models describe charts that go on. */
export const minChartPlaces = 10
export const isChart = ({ depth }: Pick<ChartLook, 'depth'>): boolean => depth >= minChartPlaces
/** Maximum slope of a law beyond the ranks it covers: steeper than every published slope. */
const steepest = 1

/**
 * Estimates a day of an app from all evidence together: each rank, each chart without the app, and the ratings it gained all
 * concern one number, and none replaces another. Where no chart of the day that a model covers shows the app, the ranks of
 * the days around it are used, widened by drift.
 * @param around the nearest capture of each chart of ten places or more that shows the app on another day
 */
export function estimateFrom(
  seen: readonly ChartLook[],
  growth: RatingGrowth | undefined,
  around: () => readonly ChartLook[] = () => [],
): EstimateOutcome {
  const looked = seen.filter(isChart)
  const ofDay = currencyOf(looked)
  const fresh = looked.flatMap((entry) => speak(entry, ofDay))
  // Where a model knows a chart that shows the app, but does not cover its rank, other days' ranks are not used.
  const isBeyond = looked.some(({ rank, models }) => rank !== null && models.length > 0)
  const drifted = isBeyond ? [] : around()
  const currency = fresh.length > 0 ? ofDay : currencyOf([...looked, ...drifted])
  const ranked = fresh.length > 0 ? fresh : drifted.flatMap((entry) => speak(entry, currency))
  const bounds = looked.flatMap((entry) => bound(entry, currency))
  const charts = ranked.length > 0 ? combineRanks(ranked) : undefined
  const rated = growth && evidenceOfRatings(growth, charts)
  if (ranked.length === 0 && !rated)
    return { range: null, reason: whyNone(seen, growth), inputs: inputsOfNone(seen, bounds, growth) }
  const bareInChart = !charts && looked.some(({ rank }) => rank !== null)
  const excluded = disagreementInput(charts, rated?.alone, bounds)
  const { range, weights } = posteriorOf({
    normals: [...(charts ? [charts] : []), ...(rated?.kind === 'normal' ? [rated.normal] : [])],
    counts: rated?.kind === 'count' ? [rated.count] : [],
    bounds,
    least: bareInChart ? leastInChart : leastOfAll,
  })
  const ofCharts = charts ? (weights[0] ?? 0) : 0
  const ofRatings = rated ? (weights[charts ? 1 : 0] ?? 0) : 0
  const parts = ranked.map((entry, at) => ({ ...entry, weight: ofCharts * (charts?.shares[at] ?? 0) }))
  const [main] = parts.toSorted(heavierFirst)
  const byRatings = !main || ofRatings > ofCharts
  const ofBounds = weights.slice((charts ? 1 : 0) + (rated ? 1 : 0))
  return {
    range: { low: toThreeDigits(range.low), mid: toThreeDigits(range.mid), high: toThreeDigits(range.high) },
    from: byRatings ? 'ratings' : 'charts',
    currency: main && !byRatings ? main.model.currency : null,
    ranks: main && !byRatings ? validRanks(main) : null,
    calibrationId: main && !byRatings ? main.model.calibrationId : null,
    inputs: [
      ...(byRatings && growth ? ratingInputs(growth) : []),
      ...(main && !byRatings ? [...placeInputs(main), ...main.model.inputs] : []),
      ...rankInputs(parts),
      ...(rated && growth ? [ratingGrowthInput(growth, ofRatings)] : []),
      ...bounds.map(({ says }, at) => evidenceInput(says, ofBounds[at] ?? 0)),
      ...excluded,
      sensitivityInput(parts, ofRatings),
      { name: accuracyInput, value: byRatings || !main ? ratingsUnvalidated : main.model.validation },
    ],
  }
}

/** The currency of a day: of a model that covers a rank, the operator's own before others, then by name. */
function currencyOf(looked: readonly ChartLook[]): string | null {
  const told = new Set(looked.flatMap(({ models }) => models.map(({ currency }) => currency)))
  if (told.size <= 1) return told.values().next().value ?? null
  const [first] = looked
    .flatMap(({ chart, rank, models }) => models.map((model) => ({ model, rank, name: chartName(chart) })))
    .map(({ model, rank, name }) => ({ model, name, speaks: rank !== null && speaksAbout(model, rank) }))
    .sort(
      (one, other) =>
        Number(other.speaks) - Number(one.speaks) ||
        Number(other.model.calibrated) - Number(one.model.calibrated) ||
        (one.name < other.name ? -1 : 1),
    )
  return first?.model.currency ?? null
}

const speaksAbout = ({ ranks }: RankModel, rank: number) => rank >= ranks.from && rank <= ranks.to

/** The level from the first model that covers the app's rank. */
function speak({ chart, rank, depth, models, of }: ChartLook, currency: string | null): Ranked[] {
  if (rank === null) return []
  const model = models.find((one) => one.currency === currency && speaksAbout(one, rank))
  if (!model) return []
  const level = model.at(rank)
  const moved = of && { ...level, app: level.app + driftVariance(of.apart) }
  return [{ chart, rank, depth, model, level: moved ?? level, law: model.law, of }]
}

/** The upper or lower bounds from a chart without the app, or with the app at a rank that no model covers. */
function bound(
  { chart, rank, depth, gaps, couldHold, models }: ChartLook,
  currency: string | null,
): Bounding[] {
  const model = models.find((one) => one.currency === currency && one.ranks.from <= (rank ?? depth))
  const name = chartName(chart)
  if (rank === null) {
    if (!model || gaps || !couldHold) return []
    const last = Math.min(depth, model.ranks.to)
    const level = totalDistributionOf(model.at(last))
    const { high } = estimateRangeOf(level)
    return [
      {
        ...level,
        side: 'upper',
        edge: Math.log(high),
        says: `not among ${depth} places of ${name}: at most ${formatNumber(toThreeDigits(high))}`,
      },
    ]
  }
  if (models.some((one) => one.currency === currency && speaksAbout(one, rank))) return []
  if (!model) {
    const first = models.find((one) => one.currency === currency)
    if (!first) return []
    const level = totalDistributionOf(first.at(first.ranks.from))
    const { low } = estimateRangeOf(level)
    return [
      {
        ...level,
        side: 'lower',
        edge: Math.log(low),
        says: `rank ${rank} of ${name}, before ${first.ranks.from}: at least ${formatNumber(toThreeDigits(low))}`,
      },
    ]
  }
  const level = totalDistributionOf(model.at(model.ranks.to))
  const fallen = steepest * Math.log(rank / model.ranks.to)
  const { low, high } = estimateRangeOf(level)
  const least = low * Math.exp(-fallen)
  return [
    {
      ...level,
      side: 'upper',
      edge: Math.log(high),
      says: `rank ${rank} of ${name}, past ${model.ranks.to}: at most ${formatNumber(toThreeDigits(high))}`,
    },
    {
      ...level,
      mean: level.mean - fallen,
      side: 'lower',
      edge: Math.log(least),
      says: `rank ${rank} of ${name}: at least ${formatNumber(toThreeDigits(least))}`,
    },
  ]
}

/** The operator's own charts first, then by weight, by place and by name. */
function heavierFirst(one: Ranked & { weight: number }, other: Ranked & { weight: number }): number {
  return (
    Number(other.model.calibrated) - Number(one.model.calibrated) ||
    other.weight - one.weight ||
    one.rank - other.rank ||
    (chartName(one.chart) < chartName(other.chart) ? -1 : 1)
  )
}

/** The model's ranks, cut at the observed depth. */
function validRanks({ model, depth, rank }: Ranked): RankRange {
  return { from: model.ranks.from, to: Math.min(model.ranks.to, Math.max(depth, rank)) }
}

function whyNone(looked: readonly ChartLook[], growth: RatingGrowth | undefined): NoEstimate {
  if (growth) return 'too-little-evidence'
  if (looked.length === 0) return 'no-snapshot'
  const ranked = looked.filter(({ rank }) => rank !== null)
  return ranked.length > 0 && ranked.every((entry) => entry.models.length === 0 || !isChart(entry))
    ? 'too-little-evidence'
    : 'outside-valid-range'
}

function inputsOfNone(
  looked: readonly ChartLook[],
  bounds: readonly Bounding[],
  growth: RatingGrowth | undefined,
): EstimateInput[] {
  const ranked = looked.filter(({ rank }) => rank !== null)
  const [named] = ranked.length > 0 ? ranked : looked
  return [
    ...(named ? placeInputs(named) : []),
    ...bounds.map(({ says }) => ({ name: 'bound', value: says })),
    ...(growth ? ratingInputs(growth) : []),
  ]
}
