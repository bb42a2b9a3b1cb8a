/**
 * The normal distribution, far into its tails: bounds are asked for at many standard deviations, where the error functions
 * of the packages we looked at (simple-statistics, jstat) are 0 and their logarithm is none.
 */

/** Half the width of an 80 % interval, in standard deviations. */
export const z80 = 1.2815515655446004

/**
 * The logarithm of the share of a standard normal below z; finite for every finite z.
 * Sources: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17 (error below 7.5e-8), and 26.2.12, the
 * asymptotic series, below -5.
 */
export function logNormalBelow(z: number): number {
  if (z > 0) return Math.log1p(-upperTail(z))
  if (z > -5) return Math.log(upperTail(-z))
  return -0.5 * z * z - Math.log(-z * root2pi) + Math.log1p(-1 / z ** 2 + 3 / z ** 4 - 15 / z ** 6)
}

/** The share of a standard normal below z. */
function normalBelow(z: number): number {
  return z > 0 ? 1 - upperTail(z) : upperTail(-z)
}

const root2pi = Math.sqrt(2 * Math.PI)

/** The share above z, for z from 0. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (Math.exp(-0.5 * z * z) / root2pi) * series
}

/**
 * The value below which a share of a mixture of normals lies, found by halving.
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
