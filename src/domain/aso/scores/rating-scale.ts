/** How many ratings are many in a storefront, from its stored apps with a known number of ratings. */
export interface RatingScale {
  /** Number of apps it is based on. */
  apps: number
  /** Ratings of the median app, to two significant figures. */
  middle: number
  /** The 95th percentile of ratings, to two significant figures. */
  high: number
}

/** Minimum apps: fewer come from a few terms, and say more about these than about the storefront. */
export const minAppsOfScale = 1_000

/** Quantiles of the two marks of a scale. */
export const scaleQuantiles = [0.5, 0.95] as const

/** The mark, in brackets, in the formula of a score whose storefront has no scale of its own. */
export const commonScaleMark = 'common scale'

/**
 * Strengths at the two marks: those of the common scale at the quantiles of 7,197 apps of the US storefront in 2017 (300 and
 * 48,032 ratings), so that such a storefront has the same strengths by both.
 */
const [atMiddle, atHigh] = [12, 67]
/** The common scale, for storefronts with too few apps: 0 up to a hundred ratings, 100 from a million. */
const common = { start: 2, perTenfold: 25 }
/** Minimum distance of the marks, in powers of ten: closer ones would make the slope a cliff. */
const leastSpread = 1

/**
 * The strength of a number of ratings in a storefront, 0 to 100: linear in its logarithm through the two marks of its scale.
 * @param scale null where the storefront has none of its own
 */
export function ratingStrengthOn(scale: RatingScale | null): (ratings: number) => number {
  const { start, perTenfold } = scale ? lineOf(scale) : common
  return (ratings) => Math.min(100, Math.max(0, perTenfold * (logOf(ratings) - start)))
}

function lineOf({ middle, high }: RatingScale) {
  const spread = Math.max(leastSpread, logOf(high) - logOf(middle))
  const perTenfold = (atHigh - atMiddle) / spread
  return { start: logOf(middle) - atMiddle / perTenfold, perTenfold }
}

const logOf = (ratings: number) => Math.log10(ratings + 1)

/** A number to two significant figures: a scale that moved with every new rating would rewrite every difficulty each day. */
export function toTwoSignificantDigits(count: number): number {
  return Number(count.toPrecision(2))
}
