import { type EstimateRange, type LogNormal, z80 } from './distributions.ts'
import type { CountEvidence } from './posterior.ts'

/** The number of ratings of an app on a day. */
export interface RatingCount {
  /** UTC date, `YYYY-MM-DD`. */
  day: string
  count: number
}

/** Ratings gained between two observations. */
export interface RatingGrowth {
  from: string
  to: string
  days: number
  gained: number
}

/**
 * Ratings per download, as an 80 % range. Our own assumption, stated with every estimate: nothing reliable is published,
 * apps differ tenfold, and ratings also come from people who downloaded long ago.
 */
export const ratingsPerDownload: EstimateRange = { low: 0.005, mid: 0.015, high: 0.05 }

/** The same as a log-normal. */
export const ratingRate: LogNormal = {
  mean: Math.log(ratingsPerDownload.mid),
  sd: Math.log(ratingsPerDownload.high / ratingsPerDownload.low) / 2 / z80,
}

/** Observations further apart say nothing about a single day between them. */
const longestGapDays = 60

/** Standard deviation of a single day around the mean between two observations: that of days of one app. */
const daySd = 0.25

/** The two neighbouring observations a day lies between; undefined where it lies outside all or they are too far apart. */
export function ratingGrowthAround(counts: readonly RatingCount[], day: string): RatingGrowth | undefined {
  const next = counts.findIndex((count, index) => index > 0 && count.day >= day)
  const from = counts[next - 1]
  const to = counts[next]
  if (!from || !to || from.day > day) return undefined
  const days = (Date.parse(to.day) - Date.parse(from.day)) / 86_400_000
  return days <= longestGapDays
    ? { from: from.day, to: to.day, days, gained: to.count - from.count }
    : undefined
}

/**
 * The evidence of gained ratings for the downloads of a day: a normal of the logarithm, or for few ratings the likelihood of
 * the count.
 */
export type RatingEvidence = {
  /** The range from ratings alone. */
  alone: LogNormal
} & ({ kind: 'normal'; normal: LogNormal } | { kind: 'count'; count: CountEvidence })

/** From this many ratings on, their counting error is taken as normal. */
const manyRatings = 30

/** Degrees of freedom of the Student-t by which ratings that contradict the ranks lose weight. */
const freedom = 4

/**
 * Undefined when the count fell, as it does when a store resets or cleans it. The assumed tenfold spread of rating rates has
 * longer tails than a normal, so ratings that contradict the ranks by far get little weight.
 */
export function evidenceOfRatings(
  { gained, days }: RatingGrowth,
  ranks: LogNormal | undefined,
): RatingEvidence | undefined {
  if (gained < 0) return undefined
  const mean = Math.log(Math.max(gained, 0.5) / days) - ratingRate.mean
  const variance = ratingRate.sd ** 2 + daySd ** 2
  const sd = Math.sqrt(variance + 1 / Math.max(gained, 0.5))
  const apart = ranks ? (mean - ranks.mean) ** 2 / (sd ** 2 + ranks.sd ** 2) : 0
  const weight = Math.min(1, (freedom + 1) / (freedom + apart))
  const alone = { mean, sd }
  const normal = { mean, sd: sd / Math.sqrt(weight) }
  if (gained >= manyRatings) return { alone, kind: 'normal', normal }
  const likelihood = tabulated(gained, days, variance)
  return { alone, kind: 'count', count: { at: (x) => weight * likelihood(x), around: normal } }
}

/** Range and step of the logarithm of downloads per day; beyond it, the likelihood is that at the end. */
const [tableFrom, tableTo, tableStep] = [-8, 24, 0.05]
/** By gained ratings and days: there are fewer than thirty times sixty keys, which recur. */
const tables = new Map<string, Float64Array>()

/** The likelihood of a count by interpolation in a table, since the sum is slow to compute. */
function tabulated(gained: number, days: number, variance: number): (x: number) => number {
  const key = `${gained} ${days}`
  const exact = countLikelihood(gained, days, variance)
  const table =
    tables.get(key) ??
    Float64Array.from({ length: (tableTo - tableFrom) / tableStep + 1 }, (_, at) =>
      exact(tableFrom + at * tableStep),
    )
  tables.set(key, table)
  return (x) => {
    const place = Math.min(table.length - 1, Math.max(0, (x - tableFrom) / tableStep))
    const below = Math.floor(place)
    const [one, other] = [table[below] ?? 0, table[below + 1] ?? table[below] ?? 0]
    return one + (other - one) * (place - below)
  }
}

const nodes = 33
/** In standard deviations: ratings that contradict the ranks imply an unusual rate. */
const reach = 8

/**
 * The likelihood of so few ratings given the downloads per day: a Poisson count with a log-normal rate, summed over the
 * rate. A count of 0 is most likely with no downloads, so it gives only an upper bound.
 */
function countLikelihood(gained: number, days: number, variance: number): (x: number) => number {
  const sd = Math.sqrt(variance)
  const weighed = Array.from({ length: nodes }, (_, at) => {
    const z = -reach + (2 * reach * at) / (nodes - 1)
    return { add: ratingRate.mean + Math.log(days) + z * sd, weight: Math.exp(-0.5 * z * z) }
  })
  const totalWeight = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return (x) => {
    let sum = 0
    for (const { add, weight } of weighed) {
      const expected = x + add
      sum += (weight / totalWeight) * Math.exp(gained * expected - Math.exp(expected) - peak(gained))
    }
    return Math.max(-700, Math.log(sum))
  }
}

/** The maximum of a Poisson log-likelihood; subtracted to keep exponents small. */
const peak = (gained: number) => (gained === 0 ? 0 : gained * Math.log(gained) - gained)
