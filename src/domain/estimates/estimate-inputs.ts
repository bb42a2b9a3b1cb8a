import { countWithNoun, formatNumber } from '../../text/numbers.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { estimateRangeOf, type LogNormal, z80 } from './distributions.ts'
import type { Bound } from './posterior.ts'
import { type EstimateInput, type RankLevel, toThreeDigits, totalDistributionOf } from './rank-models.ts'
import { type RatingGrowth, ratingRate, ratingsPerDownload } from './rating-growth.ts'

interface Place {
  chart: ChartIdentity
  rank: number | null
  depth: number
  of?: { day: string; apart: number } | undefined
}

/** A rank in an estimate, with its weight. */
interface WeighedRank {
  chart: ChartIdentity
  rank: number
  level: RankLevel
  law: string
  weight: number
  of?: Place['of']
}

/** The app's place in a chart, or the observed depth without it. */
export function placeInputs({ chart, rank, depth, of }: Place): EstimateInput[] {
  const named = { name: 'chart', value: chartName(chart) }
  if (rank === null) return [named, { name: 'places looked at', value: depth }]
  const ofDay = of
    ? [
        { name: chartDayInput, value: of.day },
        { name: 'days between', value: of.apart },
      ]
    : []
  return [{ name: 'rank', value: rank }, named, ...ofDay]
}

/** The input with the day of the chart, where it differs from the estimated day. */
export const chartDayInput = 'chart of'

/** The inputs of an estimate from gained ratings. */
export function ratingInputs({ gained, from, to }: RatingGrowth): EstimateInput[] {
  const { low, mid, high } = ratingsPerDownload
  return [
    { name: 'ratings gained', value: gained },
    { name: 'between', value: `${from} and ${to}` },
    { name: 'assumed ratings per download', value: `${mid} (${low} to ${high})` },
  ]
}

/** Ranks listed individually, those with the most weight; the others are summed up, since an app may be in twenty charts. */
const namedRanks = 6

/** The evidence of ranks, with the weight of each. */
export function rankInputs(parts: readonly WeighedRank[]): EstimateInput[] {
  const byWeight = (one: WeighedRank, other: WeighedRank) =>
    other.weight - one.weight || (chartName(one.chart) < chartName(other.chart) ? -1 : 1)
  const ordered = parts.length > namedRanks ? parts.toSorted(byWeight) : parts
  const rest = ordered.slice(namedRanks)
  return [
    ...ordered
      .slice(0, namedRanks)
      .map(({ chart, rank, level, weight, of }) =>
        evidenceInput(
          `rank ${rank} of ${chartName(chart)}${of ? ` on ${of.day}` : ''}: ${inWords(level)}`,
          weight,
        ),
      ),
    ...(rest.length > 0
      ? [
          evidenceInput(
            `ranks in ${rest.length} more charts`,
            rest.reduce((sum, { weight }) => sum + weight, 0),
          ),
        ]
      : []),
  ]
}

/** @param weight share in the estimate, 0 to 1 */
export function evidenceInput(says: string, weight: number): EstimateInput {
  return { name: 'evidence', value: `${says}, weight ${weight.toFixed(2)}` }
}

/** Cached by level: an app has the same places again and again, and formatting numbers is slow. */
const words = new WeakMap<RankLevel, string>()

function inWords(level: RankLevel): string {
  const known = words.get(level)
  if (known) return known
  const { low, mid, high } = estimateRangeOf(totalDistributionOf(level))
  const [middle, least, most] = [mid, low, high].map((value) => formatNumber(toThreeDigits(value)))
  const said = `${middle} (${least} to ${most})`
  words.set(level, said)
  return said
}

/** The evidence of gained ratings, with its weight. */
export function ratingGrowthInput({ gained, days }: RatingGrowth, weight: number): EstimateInput {
  const { mid } = ratingsPerDownload
  return evidenceInput(
    `${countWithNoun(gained, 'rating')} in ${countWithNoun(days, 'day')}: ${formatNumber(toThreeDigits(gained / days / mid))} at ${mid} a download`,
    weight,
  )
}

/** The assumption that changes the mid most, when moved to either end of its 80 % range. */
export function sensitivityInput(parts: readonly WeighedRank[], ofRatings: number): EstimateInput {
  const moved = new Map<string, number>()
  for (const { law, level, weight, chart } of parts) {
    moved.set(law, (moved.get(law) ?? 0) + weight * Math.sqrt(level.law))
    if (level.bridge > 0)
      moved.set(`how ${chartName(chart)} compares with all categories`, weight * Math.sqrt(level.bridge))
  }
  moved.set('ratings per download', ofRatings * ratingRate.sd)
  const [name, sd] = [...moved].reduce((one, other) => (other[1] > one[1] ? other : one))
  const factor = Math.exp(z80 * sd)
  return {
    name: 'moves it most',
    value: `${name}: mid ${toThreeDigits(1 / factor)} to ${toThreeDigits(factor)} times`,
  }
}

/**
 * Pairs of evidence whose 80 % ranges do not overlap: ranks and ratings, or one of them and a chart that does not show the
 * app.
 */
export function disagreementInput(
  charts: LogNormal | undefined,
  ratings: LogNormal | undefined,
  bounds: readonly (Bound & { says: string })[],
): EstimateInput[] {
  const said = [
    { by: 'ranks', of: charts },
    { by: 'ratings', of: ratings },
  ].flatMap(({ by, of }) => {
    if (!of) return []
    const range = estimateRangeOf(of)
    return [
      {
        ...range,
        says: `${by} ${formatNumber(toThreeDigits(range.low))} to ${formatNumber(toThreeDigits(range.high))}`,
      },
    ]
  })
  const [one, other] = said
  const apart = one && other && (one.high < other.low || other.high < one.low) ? [[one, other]] : []
  const beyond = bounds.flatMap((bound) =>
    said
      .filter(({ low, high }) =>
        bound.side === 'upper' ? low > Math.exp(bound.edge) : high < Math.exp(bound.edge),
      )
      .map((piece) => [piece, bound]),
  )
  return [...apart, ...beyond].map((pair) => ({
    name: 'disagreement',
    value: `${pair.map(({ says }) => says).join(', ')}: their 80 % ranges do not touch`,
  }))
}
