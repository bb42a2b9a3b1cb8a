/** A modelled number as the least, the middle and the most it may be; low <= mid <= high. */
export interface Range {
  low: number
  mid: number
  high: number
}

/** A number per day that falls with the rank: scale · rank^-slope. */
export interface Law {
  /** What rank 1 has. */
  scale: number
  /** How steeply it falls; above 0. */
  slope: number
}

/** Ranks a source or a model speaks about, both included. */
export interface Ranks {
  from: number
  to: number
}

/** @param rank from 1; between two ranks where the place in another chart is meant */
export function lawAt({ scale, slope }: Law, rank: number): number {
  return scale * rank ** -slope
}

/** The law with a slope that has a known value at one rank. */
export function lawThrough(level: { rank: number; perDay: number }, slope: number): Law {
  return { scale: level.perDay * level.rank ** slope, slope }
}

/** The slope between two ranks of which the better has `ratio` times what the worse has. */
export function slopeOfRatio({ from, to }: Ranks, ratio: number): number {
  return Math.log(ratio) / Math.log(to / from)
}

/**
 * The value below which a share of the values lies, between two neighbours where it falls between them.
 * @param sorted ascending; NaN when empty
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
