import type { ListedPlace } from './similar-lists.ts'
import type { ChartTogether, NeighbourInResults } from './similar-queries.ts'

export type ReasonKind =
  | 'apple-list'
  | 'same-developer'
  | 'shared-keywords'
  | 'charting-together'
  | 'similar-text'

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

/** Steps from one capture to the next that a common movement needs, and those at which it counts half. */
const fewestSteps = 6
const halfSteps = 5

/** Strongest reason of the charts of one category that show both. */
export function togetherReasons(charts: readonly ChartTogether[]): Map<string, Reason> {
  const found = new Map<string, Reason>()
  for (const chart of charts)
    for (const [storeId, ranks] of chart.others) {
      const reason = togetherReason(chart, ranks)
      const known = found.get(storeId)
      if (reason && (!known || reason.strength > known.strength)) found.set(storeId, reason)
    }
  return found
}

/**
 * Standing in one chart says little: everything popular in a category does. What says more is being there at the same
 * times and not at others (lift), and climbing and falling on the same days, which apps for the same occasions do.
 */
function togetherReason(
  { captures, own }: ChartTogether,
  ranks: readonly (number | null)[],
): Reason | undefined {
  const shown = own.filter((rank) => rank !== null).length
  const both = own.flatMap((rank, at) => {
    const other = ranks[at] ?? null
    return rank === null || other === null ? [] : [[rank, other] as const]
  })
  if (both.length === 0) return undefined
  const held = ranks.filter((rank) => rank !== null).length
  const lift = liftOf(both.length, shown, held, captures)
  const moved = movedTogether(own, ranks)
  const apart = both.reduce((sum, [one, other]) => sum + Math.abs(Math.log2(one / other)), 0) / both.length
  const near = Math.max(0, 1 - apart / 4)
  const strength = Math.min(1, 0.25 * lift + 0.65 * moved + 0.1 * near) * Math.min(1, both.length / shown)
  const moves = moved >= 0.5 ? ', and rises and falls with it' : ''
  return {
    kind: 'charting-together',
    strength,
    detail: `in ${both.length} of the ${shown} category chart snapshots that show the app${moves}`,
  }
}

/** Normalised pointwise mutual information of being in a capture, 0 to 1. */
function liftOf(both: number, one: number, other: number, captures: number): number {
  if (both < 3 || both === captures) return 0
  return Math.max(0, Math.log((both * captures) / (one * other)) / -Math.log(both / captures))
}

/** How alike the steps of two apps' ranks are, in logarithms: their correlation, less where there are few of them. */
function movedTogether(own: readonly (number | null)[], ranks: readonly (number | null)[]): number {
  let product = 0
  let mine = 0
  let theirs = 0
  let steps = 0
  for (let at = 1; at < own.length; at++) {
    const before = own[at - 1] ?? null
    const after = own[at] ?? null
    const otherBefore = ranks[at - 1] ?? null
    const otherAfter = ranks[at] ?? null
    if (before === null || after === null || otherBefore === null || otherAfter === null) continue
    const step = Math.log(after / before)
    const otherStep = Math.log(otherAfter / otherBefore)
    product += step * otherStep
    mine += step ** 2
    theirs += otherStep ** 2
    steps++
  }
  if (steps < fewestSteps || mine === 0 || theirs === 0) return 0
  return Math.max(0, product / Math.sqrt(mine * theirs)) * (steps / (steps + halfSteps))
}
