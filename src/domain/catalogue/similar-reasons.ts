import type { ListedPlace } from './similar-lists.ts'
import type { ChartShowingApp, ResultPageNeighbour } from './similar-queries.ts'

export type ReasonKind = 'apple-list' | 'shared-keywords' | 'charting-together' | 'similar-text'

export interface SimilarityReason {
  kind: ReasonKind
  /** 0 to 1. */
  strength: number
  detail: string
}

/** Two apps can be in each other's lists; the stronger reason counts. */
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

export function appleListReason(place: ListedPlace): SimilarityReason {
  const { own, position, places } = place
  return {
    kind: 'apple-list',
    strength: placeStrength(place),
    detail: own
      ? `position ${position} of ${places} in Apple's list`
      : `this app is at position ${position} of ${places} in its Apple list`,
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
export function sharedResultsReason(one: ResultPageNeighbour, places: number): SimilarityReason {
  const { ranks, looked, holding, terms, term } = one
  const together = ranks.length
  const high = ranks.reduce((sum, rank) => sum + 1 - ((1 - lastPlace) * (rank - 1)) / places, 0)
  const lift = (together * (terms + termsMore)) / (looked * Math.max(holding, together))
  const rarity = Math.min(1, Math.max(leastRarity, Math.log(lift) / Math.log(fullLift)))
  return {
    kind: 'shared-keywords',
    strength: (high / (looked + pagesMore)) * rarity,
    detail: `both in the top ${places} for ${together} of ${looked} keywords, such as "${term}"`,
  }
}

/** Name and version of the score: 1 less the product of what each reason leaves, 1 − weight · strength. */
export const similarityFormula = 'similarity/4'

/** The maximum similarity that each reason can give. */
const weights: Record<ReasonKind, number> = {
  'shared-keywords': 0.75,
  'similar-text': 0.75,
  'apple-list': 0.5,
  'charting-together': 0.35,
}

const says = ({ kind, strength }: SimilarityReason) => weights[kind] * strength

/** How much reasons say together, 0 to 1. */
export const similarityScoreOf = (reasons: readonly SimilarityReason[]): number =>
  1 - reasons.reduce((product, reason) => product * (1 - says(reason)), 1)

/** Sorts reasons by strength, strongest first, with rounded strengths. */
export const strongestFirst = (reasons: readonly SimilarityReason[]): SimilarityReason[] =>
  reasons
    .toSorted((one, other) => says(other) - says(one) || (one.kind < other.kind ? -1 : 1))
    .map((reason) => ({ ...reason, strength: Math.round(reason.strength * 1e4) / 1e4 }))

/** Minimum score: of apps below it, only one in five is a rival. */
const leastScore = 0.1
/** Texts and charts of a small store resemble each other a little, whatever apps do: what they bring has to be near the best. */
const leastOfBest = 0.6
/** From here on nearly all are rivals, however strong the best is. */
const surely = 0.4
const resembling: ReadonlySet<ReasonKind> = new Set(['similar-text', 'charting-together'])

/** The apps with a sufficient score, possibly fewer than requested. @param items strongest first */
export function worthShowing<Item extends { score: number; reasons: readonly SimilarityReason[] }>(
  items: readonly Item[],
): Item[] {
  const best = items[0]?.score ?? 0
  const least = Math.min(surely, leastOfBest * best)
  return items.filter(
    ({ score, reasons }) =>
      score >= leastScore && (score >= least || reasons.some(({ kind }) => !resembling.has(kind))),
  )
}

/** Place by capture, null where an app was not in the chart. */
type Ranks = readonly (number | null)[]

/** Steps from one capture to the next that a common movement needs, and those at which it counts half. */
const fewestSteps = 6
const halfSteps = 5

/** Apps that move most with an app, of which each has so many nearest; and how much sharing those says of moving together. */
const neighbours = { looked: 60, nearest: 15, share: 0.3 }

/** Strongest reason of the charts of one category that show both. */
export function sharedChartReasons(charts: readonly ChartShowingApp[]): Map<string, SimilarityReason> {
  const found = new Map<string, SimilarityReason>()
  for (const chart of charts) {
    const moved = movedWith(chart)
    for (const [storeId, ranks] of chart.others) {
      const reason = togetherReason(chart, ranks, moved.get(storeId) ?? 0)
      const known = found.get(storeId)
      if (reason && (!known || reason.strength > known.strength)) found.set(storeId, reason)
    }
  }
  return found
}

/**
 * Standing in one chart says little: everything popular in a category does. What says more is being there at the same
 * times and not at others (lift), and climbing and falling on the same days, which apps for the same occasions do.
 */
function togetherReason(
  { captures, own }: ChartShowingApp,
  ranks: Ranks,
  moved: number,
): SimilarityReason | undefined {
  const shown = own.filter((rank) => rank !== null).length
  const both = own.flatMap((rank, at) => {
    const other = ranks[at] ?? null
    return rank === null || other === null ? [] : [[rank, other] as const]
  })
  if (both.length === 0) return undefined
  const held = ranks.filter((rank) => rank !== null).length
  const lift = liftOf(both.length, shown, held, captures)
  const apart = both.reduce((sum, [one, other]) => sum + Math.abs(Math.log2(one / other)), 0) / both.length
  const near = Math.max(0, 1 - apart / 4)
  const strength = Math.min(1, 0.25 * lift + 0.65 * moved + 0.1 * near) * Math.min(1, both.length / shown)
  const moves = moved >= 0.5 ? ', with similar rank changes' : ''
  return {
    kind: 'charting-together',
    strength,
    detail: `in the same category chart for ${both.length} of ${shown} ranks collected${moves}`,
  }
}

/** Normalised pointwise mutual information of being in a capture, 0 to 1. */
function liftOf(both: number, one: number, other: number, captures: number): number {
  if (both < 3 || both === captures) return 0
  return Math.max(0, Math.log((both * captures) / (one * other)) / -Math.log(both / captures))
}

/**
 * How much each app rises and falls with the one asked about. An app that moves like everything in the chart is near to
 * all: it counts less than one that is near to the same few as this one (shared nearest neighbours, Jarvis and Patrick
 * 1973).
 */
function movedWith({ own, others }: ChartShowingApp): Map<string, number> {
  const mine = stepsOf(own)
  const moving = [...others]
    .map(([storeId, ranks]) => ({ storeId, steps: stepsOf(ranks) }))
    .map((one) => ({ ...one, moved: sharedMovement(mine, one.steps) }))
    .filter(({ moved }) => moved > 0)
    .sort((one, other) => other.moved - one.moved || (one.storeId < other.storeId ? -1 : 1))
  const looked = moving.slice(0, neighbours.looked)
  const nearest = nearestOf([mine, ...looked.map(({ steps }) => steps)])
  const near = nearest[0] ?? new Set()
  const shared = new Map(
    looked.map(({ storeId }, index) => [storeId, (nearest[index + 1] ?? new Set()).intersection(near).size]),
  )
  return new Map(
    moving.map(({ storeId, moved }) => {
      const common = (shared.get(storeId) ?? 0) / neighbours.nearest
      return [storeId, (1 - neighbours.share) * moved + neighbours.share * common]
    }),
  )
}

/** The nearest of each, by their places in the list; an app is the nearest to itself. */
function nearestOf(all: readonly Float64Array[]): Set<number>[] {
  return all.map((one) => {
    const near = all
      .map((other, at) => ({ at, alike: one === other ? 1 : sharedMovement(one, other) }))
      .filter(({ alike }) => alike > 0)
      .sort((first, second) => second.alike - first.alike || first.at - second.at)
    return new Set(near.slice(0, neighbours.nearest).map(({ at }) => at))
  })
}

/** The steps of the logarithm of a rank from capture to capture, NaN where the app was not in both. */
function stepsOf(ranks: Ranks): Float64Array {
  const logs = ranks.map((rank) => (rank === null ? Number.NaN : Math.log(rank)))
  return Float64Array.from(
    { length: Math.max(0, logs.length - 1) },
    (_, at) => (logs[at + 1] ?? 0) - (logs[at] ?? 0),
  )
}

/** The correlation of two apps' steps, less where there are few of them, 0 where they go apart. */
function sharedMovement(mine: Float64Array, theirs: Float64Array): number {
  let product = 0
  let one = 0
  let other = 0
  let steps = 0
  for (let at = 0; at < mine.length; at++) {
    const step = mine[at] ?? Number.NaN
    const otherStep = theirs[at] ?? Number.NaN
    const both = step * otherStep
    if (Number.isNaN(both)) continue
    product += both
    one += step * step
    other += otherStep * otherStep
    steps++
  }
  if (steps < fewestSteps || one === 0 || other === 0) return 0
  return Math.max(0, product / Math.sqrt(one * other)) * (steps / (steps + halfSteps))
}
