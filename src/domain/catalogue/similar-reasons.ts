import type { ListedPlace } from './similar-lists.ts'
import type { NeighbourInResults } from './similar-queries.ts'

export type ReasonKind = 'apple-list' | 'shared-keywords' | 'charting-together' | 'similar-text'

export interface Reason {
  kind: ReasonKind
  /** 0 to 1. */
  strength: number
  detail: string
}

/** An app can stand in the list and name the app in its own; the stronger reason counts. */
export function bestPlaces(listed: readonly ListedPlace[]): ListedPlace[] {
  const best = new Map<string, ListedPlace>()
  for (const place of listed) {
    if (place.kind !== 'similar') continue
    const known = best.get(place.storeId)
    if (!known || placeStrength(place) > placeStrength(known)) best.set(place.storeId, place)
  }
  return [...best.values()]
}

/** 1 for the first place of the app's own list, falling to 1/n for the last of n; half for a list of the other app. */
const placeStrength = ({ own, position, places }: ListedPlace) =>
  (1 - (position - 1) / places) * (own ? 1 : 0.5)

export function listedReason(place: ListedPlace): Reason {
  const { own, position, places } = place
  return {
    kind: 'apple-list',
    strength: placeStrength(place),
    detail: own
      ? `number ${position} in Apple's list of ${places}`
      : `its own list by Apple names this app, as number ${position} of ${places}`,
  }
}

/** The last place that counts on a result page counts half of the first. */
const lastPlace = 0.5
/** One page more than was looked at keeps a single page from saying that two apps are alike. */
const pagesMore = 1
/** Terms that are thought of beyond the stored ones, so that a few say something. */
const termsMore = 20
/** At so much more than chance, sharing pages counts fully; and what is left of it at chance. */
const fullLift = 20
const leastRarity = 0.3

/**
 * How often and how high the other app stands on the pages that show this one at the top, less for an app that stands on
 * pages of all kinds: by the lift of both together over what their numbers of pages explain.
 */
export function sharedReason(one: NeighbourInResults, places: number): Reason {
  const { ranks, looked, holding, terms, term } = one
  const together = ranks.length
  const high = ranks.reduce((sum, rank) => sum + 1 - ((1 - lastPlace) * (rank - 1)) / places, 0)
  const lift = (together * (terms + termsMore)) / (looked * Math.max(holding, together))
  const rarity = Math.min(1, Math.max(leastRarity, Math.log(lift) / Math.log(fullLift)))
  return {
    kind: 'shared-keywords',
    strength: (high / (looked + pagesMore)) * rarity,
    detail: `beside it in the first ${places} results for ${together} of ${looked} terms, such as "${term}"`,
  }
}
