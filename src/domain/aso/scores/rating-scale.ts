/** What many ratings are in a storefront, told by the apps stored of it whose number of ratings is known. */
export interface RatingScale {
  /** How many apps it is drawn from. */
  apps: number
  /** Ratings of the app in the middle, in two figures. */
  middle: number
  /** Ratings that five apps in a hundred exceed, in two figures. */
  high: number
}

/** Fewer apps are those of a few terms, and tell more of these than of the storefront. */
export const fewestApps = 1_000

/** Shares of the apps below the two marks of a scale. */
export const markedShares = [0.5, 0.95] as const

/** Said in brackets of the formula of a score whose storefront has no scale of its own. */
export const commonScaleMark = 'common scale'

/**
 * Strengths at the two marks. They were read off the common scale at the quantiles of 7,197 apps of the US storefront in
 * 2017 (300 and 48,032 ratings), so that such a storefront has the same strengths by both.
 */
const [atMiddle, atHigh] = [12, 67]
/** Nothing up to a hundred ratings, full from a million: where too little is known of the storefront. */
const common = { start: 2, perTenfold: 25 }
/** Marks closer together than tenfold would make a cliff of a slope. */
const leastSpread = 1

/**
 * How strong numbers of ratings are in a storefront, 0 to 100: straight in their logarithm through the two marks of its
 * scale.
 * @param scale null where the storefront has none of its own
 */
export function strengthOn(scale: RatingScale | null): (ratings: number) => number {
  const { start, perTenfold } = scale ? lineOf(scale) : common
  return (ratings) => Math.min(100, Math.max(0, perTenfold * (logOf(ratings) - start)))
}

function lineOf({ middle, high }: RatingScale) {
  const spread = Math.max(leastSpread, logOf(high) - logOf(middle))
  const perTenfold = (atHigh - atMiddle) / spread
  return { start: logOf(middle) - atMiddle / perTenfold, perTenfold }
}

const logOf = (ratings: number) => Math.log10(ratings + 1)

/** A number in two figures: a scale that moved with every new rating would rewrite every difficulty each day. */
export function inTwoFigures(count: number): number {
  return Number(count.toPrecision(2))
}
