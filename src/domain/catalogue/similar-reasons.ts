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

/** Name and version of the score: 1 less the product of what each reason leaves, 1 − weight · strength. */
export const similarityFormula = 'similarity/4'

/** What each reason says at most that two apps are alike. */
const weights: Record<ReasonKind, number> = {
  'shared-keywords': 0.75,
  'similar-text': 0.75,
  'apple-list': 0.5,
  'charting-together': 0.35,
}

const says = ({ kind, strength }: Reason) => weights[kind] * strength

/** How much reasons say together, 0 to 1. */
export const scoreOf = (reasons: readonly Reason[]): number =>
  1 - reasons.reduce((product, reason) => product * (1 - says(reason)), 1)

/** Reasons that say most first, their strengths rounded. */
export const byStrength = (reasons: readonly Reason[]): Reason[] =>
  reasons
    .toSorted((one, other) => says(other) - says(one) || (one.kind < other.kind ? -1 : 1))
    .map((reason) => ({ ...reason, strength: Math.round(reason.strength * 1e4) / 1e4 }))

/** Of what scores less, one in five is a rival. */
const leastScore = 0.1
/** Texts and charts of a small store resemble each other a little, whatever apps do: what they bring has to be near the best. */
const leastOfBest = 0.6
/** From here on nearly all are rivals, however strong the best is. */
const surely = 0.4
const resembling: ReadonlySet<ReasonKind> = new Set(['similar-text', 'charting-together'])

/** Those of some apps that are worth showing; fewer than were looked for where fewer are. @param items strongest first */
export function worthShowing<Item extends { score: number; reasons: readonly Reason[] }>(
  items: readonly Item[],
): Item[] {
  const best = items[0]?.score ?? 0
  const least = Math.min(surely, leastOfBest * best)
  return items.filter(
    ({ score, reasons }) =>
      score >= leastScore && (score >= least || reasons.some(({ kind }) => !resembling.has(kind))),
  )
}
