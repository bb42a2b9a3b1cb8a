/** A modelled number as an 80 % range with its median; low <= mid <= high. */
export interface EstimateRange {
  low: number
  mid: number
  high: number
}

/** A number per day that falls with the rank: scale · rank^-slope. */
export interface RankLaw {
  /** The value at rank 1. */
  scale: number
  /** The exponent; above 0. */
  slope: number
}

/** Ranks covered by a source or a model, both included. */
export interface RankRange {
  from: number
  to: number
}

/** @param rank from 1; fractional for a converted place of another chart */
export function rankLawAt({ scale, slope }: RankLaw, rank: number): number {
  return scale * rank ** -slope
}

/** The law with a slope that has a known value at one rank. */
export function rankLawThrough(level: { rank: number; perDay: number }, slope: number): RankLaw {
  return { scale: level.perDay * level.rank ** slope, slope }
}

/** The slope between two ranks with this ratio of the better's value to the worse's. */
export function slopeOfRatio({ from, to }: RankRange, ratio: number): number {
  return Math.log(ratio) / Math.log(to / from)
}

/**
 * The quantile of the values, interpolated linearly between neighbours.
 * @param sorted ascending; NaN when empty
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

/** A positive number whose logarithm is normal. */
export interface LogNormal {
  /** Of the logarithm. */
  mean: number
  sd: number
}

/** The definition of low, mid and high everywhere: an 80 % range around the median. */
export function estimateRangeOf({ mean, sd }: LogNormal): EstimateRange {
  return { low: Math.exp(mean - z80 * sd), mid: Math.exp(mean), high: Math.exp(mean + z80 * sd) }
}

/**
 * The normal distribution, far into its tails: bounds are evaluated at many standard deviations. There the error functions
 * of simple-statistics and jstat are 0 and have no logarithm. Those of @stdlib (145 packages, 16 MB for this one function)
 * and of lib-r-math.js (3.7 MB, 67 ms to load) are exact to the last digit and take twice the time of this one.
 */

/** Half the width of an 80 % interval, in standard deviations. */
export const z80 = 1.2815515655446004

/**
 * The logarithm of the standard normal distribution function at z; finite for every finite z. The probability has a relative
 * error below 2e-7: Press et al., Numerical Recipes in C, second edition, 6.2, erfcc.
 */
export function logOfNormalCdf(z: number): number {
  if (z > 6) return 0
  if (z > 0) return Math.log1p(-normalBelow(-z))
  const x = -z / Math.SQRT2
  const t = 1 / (1 + x / 2)
  const tail = 1.48851587 + t * (-0.82215223 + t * 0.17087277)
  const middle = 0.09678418 + t * (-0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * tail)))
  return Math.log(t / 2) - x * x - 1.26551223 + t * (1.00002368 + t * (0.37409196 + t * middle))
}

/** The standard normal distribution function at z. */
function normalBelow(z: number): number {
  return z > 0 ? 1 - normalBelow(-z) : Math.exp(logOfNormalCdf(z))
}

/**
 * The quantile of a mixture of normals, found by bisection.
 * @param parts weights that sum to 1
 */
export function mixtureQuantile(
  parts: readonly { weight: number; mean: number; sd: number }[],
  share: number,
): number {
  let low = Math.min(...parts.map(({ mean, sd }) => mean - 8 * sd))
  let high = Math.max(...parts.map(({ mean, sd }) => mean + 8 * sd))
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    const below = parts.reduce(
      (sum, { weight, mean, sd }) => sum + weight * normalBelow((middle - mean) / sd),
      0,
    )
    if (below < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
