import { formatNumber } from '../../../text/numbers.ts'
import type { StemmedMatch } from '../../../text/stemmed-match.ts'

export const brandFormula = 'brand-term/3'

/** The app whose name a term is, with the evidence. */
export interface BrandApp {
  storeId: string
  name: string
  formula: string
  /** In plain words. */
  text: string
}

/** A place of a page with how the app's name matches the term. */
interface NamedPlace {
  storeId: string
  name: string
  at: number
  match: StemmedMatch
  ratingCount?: number | null | undefined
}

/** Minimum ratings of a brand's app, and their minimum ratio to those of others. */
const fewestRatings = 1_000
const farAhead = 10
/** Where most names hold the term, it is generic unless the app has this many times the ratings of every other. */
const outOfReach = 100
/**
 * Conditions for a brand that is a single app: the worst place of its app, the maximum number of other names with the term,
 * and the minimum number of other apps.
 */
const alone = { lowestPlace: 3, mostHolding: 3, fewestOthers: 5 } as const

/**
 * The app whose name a term is. Either it is the only one of the first ten results with that name, far ahead of the median
 * of the others; or its name is or begins with the term, it is at the top, and hardly any other name holds the term, unlike
 * with generic terms. In both cases it is far ahead of each app whose name holds the term too.
 * @returns null where the term is no brand, or there is no evidence of it
 */
export function brandOf(places: readonly NamedPlace[]): BrandApp | null {
  const app = leaderAlone(places) ?? leaderFarAhead(places)
  if (!app) return null
  const others = places.filter((place) => place !== app)
  const [holding, figures] = [holdingOf(others), formatNumber(countOf(app))]
  const besides =
    holding.length === 0
      ? `none of the ${others.length} other names contains it`
      : `${holding.length} of the ${others.length} other names contain it too, each of an app with a tenth of those ratings or fewer`
  return {
    storeId: app.storeId,
    name: app.name,
    formula: brandFormula,
    text: `"${app.name}" at rank ${app.at} has this name and ${figures} ratings; ${besides}.`,
  }
}

function leaderAlone(places: readonly NamedPlace[]): NamedPlace | undefined {
  const [app] = places
    .filter(({ match }) => match === 'name' || match === 'beginning')
    .toSorted((one, other) => countOf(other) - countOf(one) || one.at - other.at)
  if (!app || app.at > alone.lowestPlace || countOf(app) < fewestRatings) return undefined
  const others = places.filter((place) => place !== app)
  const holding = holdingOf(others)
  const isAlone = others.length >= alone.fewestOthers && holding.length <= alone.mostHolding
  return isAlone && isFarAhead(app, holding.map(countOf)) ? app : undefined
}

function leaderFarAhead(places: readonly NamedPlace[]): NamedPlace | undefined {
  const called = places.filter(({ match }) => match === 'name')
  const [app] = called
  if (!app || called.length > 1 || countOf(app) < fewestRatings) return undefined
  const others = places.filter((place) => place !== app)
  const holding = holdingOf(others)
  const counts = others.map(countOf).sort((one, other) => one - other)
  const [middle, strongest] = [counts[counts.length >> 1] ?? 0, counts.at(-1) ?? 0]
  if (2 * holding.length > others.length && countOf(app) < outOfReach * strongest) return undefined
  return isFarAhead(app, [middle, ...holding.map(countOf)]) ? app : undefined
}

const isFarAhead = (app: NamedPlace, counts: readonly number[]) =>
  counts.every((count) => countOf(app) >= farAhead * count)

/** Places whose names hold all words of the term. */
const holdingOf = (places: readonly NamedPlace[]) =>
  places.filter(({ match }) => match !== 'none' && match !== 'some-words')

const countOf = ({ ratingCount }: NamedPlace) => ratingCount ?? 0
