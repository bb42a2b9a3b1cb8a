import { type EstimateRange, estimateRangeOf, type LogNormal, logOfNormalCdf } from './distributions.ts'
import type { RankLevel } from './rank-models.ts'

/**
 * An upper or lower bound of the number: the uncertain number of an app at the edge of a chart. The estimated number is on
 * the named side of it, and is never beyond `edge` (the high of that app for an upper bound, the low for a lower one).
 */
export interface Bound extends LogNormal {
  side: 'upper' | 'lower'
  /** In the logarithm. */
  edge: number
}

/**
 * Evidence with its own likelihood, such as a count that follows from the number: the log-likelihood when the logarithm of
 * the number is `x`.
 */
export interface CountEvidence {
  at(x: number): number
  /** The approximate distribution from this evidence alone. */
  around: LogNormal
}

export interface PosteriorEvidence {
  normals: readonly LogNormal[]
  counts: readonly CountEvidence[]
  bounds: readonly Bound[]
  /** Logarithm of the minimum of the number. */
  least: number
}

interface Posterior {
  range: EstimateRange
  /** Share of each piece of evidence in the result, in the given order: normals, counts, bounds. They sum to 1. */
  weights: number[]
}

/** The softness of a bound's edge, so that contradictory bounds meet in the middle. */
const edgeSd = 0.05

/**
 * Combines all evidence of one number: the product of the likelihoods, taken as independent, with a uniform prior of the
 * logarithm from `least` on. Normals alone are multiplied exactly; otherwise a grid of the logarithm is used, on which low,
 * mid and high are off by less than a hundredth, and 0.002 (`posterior.test.ts`): the worst of 4,000 was off by half as
 * much.
 * @param evidence with a normal or a count: bounds alone are no estimate
 */
export function posteriorOf(evidence: PosteriorEvidence): Posterior {
  const { normals, counts, bounds, least } = evidence
  if (counts.length === 0 && bounds.length === 0) {
    const all = normals.reduce((sum, { sd }) => sum + 1 / sd ** 2, 0)
    return { range: estimateRangeOf(product(normals)), weights: normals.map(({ sd }) => 1 / sd ** 2 / all) }
  }
  const pieces = [
    ...normals.map(({ mean, sd }) => ({ at: (x: number) => -0.5 * ((x - mean) / sd) ** 2 })),
    ...counts,
    ...bounds.map((bound) => ({ at: (x: number) => boundAt(bound, x) })),
  ]
  let [from, to] = gridOf(evidence)
  const isInformative = pieces.map(({ at }) => Math.min(at(from), at(to)) < -negligible)
  const informative = pieces.filter((_, index) => isInformative[index])
  for (let look = 0; look < looks; look++) {
    const [first, last] = believed(summed(informative, least, from, to, lookedAt), lookedAt)
    const step = (to - from) / lookedAt
    ;[from, to] = [from + step * first, from + step * last]
    if (last - first > lookedAt / 4) break
  }
  const { said, sums } = summed(informative, least, from, to, cells)
  const best = sums.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  const density = sums.map((sum) => Math.exp(sum - best))
  const [low, mid, high] = quantiles(density, from, (to - from) / cells)
  const bent = curvatures(said, density)
  let next = 0
  return {
    range: { low: Math.exp(low), mid: Math.exp(mid), high: Math.exp(high) },
    weights: isInformative.map((informs) => (informs ? (bent[next++] ?? 0) : 0)),
  }
}

/** Grid cells over the final range. */
const cells = 96
/** Grid cells of each search for that range, and the maximum number of searches. */
const lookedAt = 32
const looks = 4
/** Log-density below the maximum at which cells are dropped: less than a hundred thousandth of the mass. */
const doubted = 14
/** Evidence with log-likelihoods no further from 0 than this is skipped. */
const negligible = 1e-6

/** The log-likelihoods of the evidence at the points of a grid, and their sum. */
function summed(
  pieces: readonly { at(x: number): number }[],
  least: number,
  from: number,
  to: number,
  count: number,
): { said: Float64Array[]; sums: Float64Array } {
  const points = Float64Array.from({ length: count + 1 }, (_, at) => from + ((to - from) * at) / count)
  const said = pieces.map(({ at }) => points.map((x) => at(x)))
  const sums = points.map((x) => (x < least ? -0.5 * ((x - least) / edgeSd) ** 2 : 0))
  for (const piece of said) for (let at = 0; at <= count; at++) sums[at] = (sums[at] ?? 0) + (piece[at] ?? 0)
  return { said, sums }
}

/** The cells with a density close to the maximum; it has one peak, as every piece of evidence is log-concave. */
function believed({ sums }: { sums: Float64Array }, count: number): [first: number, last: number] {
  const floor = sums.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY) - doubted
  const first = sums.findIndex((sum) => sum > floor)
  const last = sums.findLastIndex((sum) => sum > floor)
  return [Math.max(0, first - 1), Math.min(count, last + 1)]
}

/** The uncertain edge, as a censored normal, and the hard limit. */
function boundAt({ side, mean, sd, edge }: Bound, x: number): number {
  const beyond = side === 'upper' ? x - edge : edge - x
  const inside = logOfNormalCdf((side === 'upper' ? mean - x : x - mean) / sd)
  return beyond > 0 ? inside - 0.5 * (beyond / edgeSd) ** 2 : inside
}

function product(normals: readonly LogNormal[]): LogNormal {
  const precision = normals.reduce((sum, { sd }) => sum + 1 / sd ** 2, 0)
  return {
    mean: normals.reduce((sum, { mean, sd }) => sum + mean / sd ** 2, 0) / precision,
    sd: 1 / Math.sqrt(precision),
  }
}

/** A range wide enough for all evidence. */
function gridOf({ normals, counts, bounds, least }: PosteriorEvidence): [from: number, to: number] {
  const highest = [
    ...[...normals, ...counts.map(({ around }) => around)].map(({ mean, sd }) => mean + 5 * sd),
    ...bounds.map(({ edge }) => edge + 2),
  ]
  return [least - 2, Math.max(least + 1, ...highest)]
}

/** The 10 %, 50 % and 90 % quantiles, with linear density between neighbours. */
function quantiles(density: Float64Array, from: number, step: number): [number, number, number] {
  const below = new Float64Array(density.length)
  for (let at = 1; at < density.length; at++)
    below[at] = (below[at - 1] ?? 0) + ((density[at - 1] ?? 0) + (density[at] ?? 0)) / 2
  const all = below.at(-1) ?? 1
  const quantile = (share: number) => {
    const next = below.findIndex((sum) => sum >= share * all)
    const [left, right] = [density[next - 1] ?? 0, density[next] ?? 0]
    const missing = share * all - (below[next - 1] ?? 0)
    // The root of left · u + (right - left) · u² / 2 = missing, in a form that also works for right = left.
    const within = (2 * missing) / (left + Math.sqrt(left ** 2 + 2 * (right - left) * missing) || 1)
    return from + step * (next - 1 + within)
  }
  return [quantile(0.1), quantile(0.5), quantile(0.9)]
}

/** The curvature that each piece of evidence adds to the log-density: for a normal, one over its variance. */
function curvatures(said: readonly Float64Array[], density: Float64Array): number[] {
  const bent = said.map((piece) => {
    let sum = 0
    for (let at = 1; at < density.length - 1; at++)
      sum +=
        (density[at] ?? 0) * Math.max(0, 2 * (piece[at] ?? 0) - (piece[at - 1] ?? 0) - (piece[at + 1] ?? 0))
    return sum
  })
  const all = bent.reduce((sum, one) => sum + one, 0)
  return bent.map((one) => (all > 0 ? one / all : 1 / bent.length))
}

/** Minimum variance of a chart, however exact its law: ranks fluctuate within a day. */
const rankJitter = 0.15 ** 2

export interface ChartRankEvidence {
  level: RankLevel
  law: string
}

/**
 * Combines the ranks of one app in several charts. The error of the app is common to all of them and is not averaged away;
 * the error of a law is common to the charts that use it; the rest is each chart's own.
 * @param ranked at least one
 * @returns with the share of each of them in the mean, in the given order
 */
export function combineRanks(ranked: readonly ChartRankEvidence[]): LogNormal & { shares: number[] } {
  const app = Math.min(...ranked.map(({ level }) => level.app))
  const laws = [...Map.groupBy(ranked, ({ law }) => law).values()].map((charts) => {
    const law = Math.min(...charts.map(({ level }) => level.law))
    const own = charts.map(({ level }) => level.app - app + level.law - law + level.bridge + rankJitter)
    const precision = own.reduce((sum, variance) => sum + 1 / variance, 0)
    const shares = own.map((variance) => 1 / variance / precision)
    const mean = charts.reduce((sum, { level }, at) => sum + (shares[at] ?? 0) * level.mean, 0)
    return { charts, shares, mean, variance: law + 1 / precision }
  })
  const precision = laws.reduce((sum, { variance }) => sum + 1 / variance, 0)
  const shareOf = new Map(
    laws.flatMap(({ charts, shares, variance }) =>
      charts.map((chart, at) => [chart, (shares[at] ?? 0) / variance / precision] as const),
    ),
  )
  return {
    mean: laws.reduce((sum, { mean, variance }) => sum + mean / variance / precision, 0),
    sd: Math.sqrt(app + 1 / precision),
    shares: ranked.map((chart) => shareOf.get(chart) ?? 0),
  }
}
