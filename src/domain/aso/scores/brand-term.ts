import type { StemmedMatch } from '../../../text/stemmed-match.ts'

/** The app whose name a term is, and by what that is told. */
export interface BrandApp {
  storeId: string
  name: string
  /** In plain words. */
  text: string
}

/** A place of a page with how its name holds the term. */
interface NamedPlace {
  storeId: string
  name: string
  at: number
  match: StemmedMatch
  ratingCount?: number | null | undefined
}

/** Ratings a brand has at least, and how many times those of others. */
const fewestRatings = 1_000
const farAhead = 10
/** Where most names hold the term, it is a word of the trade unless the one is so many times ahead of all others. */
const outOfReach = 100

/**
 * The app a term is the name of: the only one of the first ten results that is called so, far ahead of the other ones in the
 * middle and of each that holds the term too. Where the others are strong there is no need to tell: such a term is hard.
 * @returns null where the term is no brand, or nothing shows it
 */
export function brandOf(places: readonly NamedPlace[]): BrandApp | null {
  const called = places.filter(({ match }) => match === 'name')
  const [app] = called
  const ratings = app?.ratingCount ?? 0
  if (!app || called.length > 1 || ratings < fewestRatings) return null
  const others = places.filter((place) => place !== app)
  const holding = others.filter(({ match }) => match === 'together' || match === 'all-words')
  const counts = others.map(countOf).sort((one, other) => one - other)
  const [middle, strongest] = [counts[counts.length >> 1] ?? 0, counts.at(-1) ?? 0]
  const isAhead = [middle, ...holding.map(countOf)].every((count) => ratings >= farAhead * count)
  if (!isAhead || (2 * holding.length > others.length && ratings < outOfReach * strongest)) return null
  const figures = (count: number) => count.toLocaleString('en')
  return {
    storeId: app.storeId,
    name: app.name,
    text: `Only "${app.name}" in place ${app.at} is called so, with ${figures(ratings)} ratings; the others have ${figures(middle)} in the middle.`,
  }
}

const countOf = ({ ratingCount }: NamedPlace) => ratingCount ?? 0
