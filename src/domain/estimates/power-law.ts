/** A modelled number as an 80 % range with its median; low <= mid <= high. */
export interface Range {
  low: number
  mid: number
  high: number
}

/** A number per day that falls with the rank: scale · rank^-slope. */
export interface Law {
  /** The value at rank 1. */
  scale: number
  /** The exponent; above 0. */
  slope: number
}

/** Ranks covered by a source or a model, both included. */
export interface Ranks {
  from: number
  to: number
}

/** @param rank from 1; fractional for a converted place of another chart */
export function lawAt({ scale, slope }: Law, rank: number): number {
  return scale * rank ** -slope
}

/** The law with a slope that has a known value at one rank. */
export function lawThrough(level: { rank: number; perDay: number }, slope: number): Law {
  return { scale: level.perDay * level.rank ** slope, slope }
}

/** The slope between two ranks with this ratio of the better's value to the worse's. */
export function slopeOfRatio({ from, to }: Ranks, ratio: number): number {
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
