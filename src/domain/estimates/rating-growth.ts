import type { Range } from './power-law.ts'

/** How often an app had been rated by a day. */
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
 * How many ratings follow a download. An assumption of ours, stated with every estimate: nothing reliable is published,
 * apps differ tenfold, and ratings also come from people who downloaded long ago.
 */
export const ratingsPerDownload: Range = { low: 0.005, mid: 0.015, high: 0.05 }

/** Observations further apart say nothing about a single day between them. */
const longestGapDays = 60

/** Two standard deviations, so that about 95 in 100 counts lie inside. */
const z = 1.96

/** The two neighbouring observations a day lies between; undefined where it lies outside all or they are too far apart. */
export function growthAround(counts: readonly RatingCount[], day: string): RatingGrowth | undefined {
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
 * Downloads per day from ratings gained; undefined when the count fell, as it does when a store resets or cleans it.
 * The counting uncertainty of few ratings widens the range (score interval of a Poisson count), so no growth is a range
 * from zero and never a bare zero.
 */
export function downloadsFromRatings({ gained, days }: RatingGrowth): Range | undefined {
  if (gained < 0) return undefined
  const centre = gained + z ** 2 / 2
  const half = z * Math.sqrt(gained + z ** 2 / 4)
  return {
    low: Math.max(0, centre - half) / days / ratingsPerDownload.high,
    mid: gained / days / ratingsPerDownload.mid,
    high: (centre + half) / days / ratingsPerDownload.low,
  }
}
