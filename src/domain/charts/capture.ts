import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AppSighting } from '../catalogue/listing.ts'

/** One capture of one chart, as a source showed it. */
export interface ChartReading extends ChartIdentity {
  capturedAt: Date
  /**
   * The date of the capture where the source states a date without a time; otherwise it follows from the storefront's
   * clock.
   */
  statedDay?: string
  /** Places requested from Apple; null when the source does not say. */
  requested: number | null
  /** App ids in the order of their ranks; null where an entry could not be read. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture: long charts are collected in parts. */
  inParts?: boolean
  /** The apps' own fields in the entries. */
  sightings: AppSighting[]
}

/**
 * Ranks of some apps in a chart at one instant, from a list with gaps. Not a capture: other places, and apps that are not
 * named, are unknown.
 */
export interface RanksOfList extends ChartIdentity {
  capturedAt: Date
  /** As in a `ChartReading`. */
  statedDay?: string
  /** Whether other lists of the instant may complete it to a chart. */
  mayJoin: boolean
  /** Each app once; empty where the list only names apps. */
  ranks: RankListEntry[]
  /** The apps' own fields in the list. */
  sightings: AppSighting[]
}

/** A place in a chart; a null rank means not among the first `depth`. */
export type RankOrDepth = { rank: number; depth: null } | { rank: null; depth: number }

export type RankListEntry = { storeId: string } & RankOrDepth

/** Maximum places stored of a chart. */
export const maxChartPlaces = 200

export const hasKnownApps = ({ storeIds }: ChartReading): boolean => storeIds.some((id) => id !== null)

/** A unique key of a chart. */
export function chartKey(chart: ChartIdentity): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}

/** A capture: one chart at one instant, stored or about to be stored. */
export interface ChartCapture {
  readingId: string
  /** `Reading.key`. */
  readingKey: string
  /** Source, origin and time basis of the reading, separated by spaces. */
  readAs: string
  /** Storefront date, `YYYY-MM-DD`. */
  day: string
  requested: number | null
  /** App ids in the order of their ranks; null where no app is known. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture. */
  inParts: boolean
  /** Places of parts that lost to another app or another place, counted from 1; null when there are none. */
  beaten: [place: number, storeId: string][] | null
}

/**
 * Merges two captures of one chart at one instant, independent of their order. A whole capture takes precedence over parts;
 * of two whole ones the one with more apps does, with a deterministic choice between equals. Parts are combined.
 */
export function mergeCaptures(one: ChartCapture, other: ChartCapture, bound: number): ChartCapture {
  if (one.inParts && other.inParts) return joined(one, other, bound)
  if (one.inParts !== other.inParts) return one.inParts ? other : one
  return weightOfCapture(one, other) >= 0 ? one : other
}

/** Positive where the first of two captures takes precedence. */
function weightOfCapture(one: ChartCapture, other: ChartCapture): number {
  const [mine, theirs] = [one, other].map(({ storeIds, requested, day, readingKey }) => [
    storeIds.filter((id) => id !== null).length,
    JSON.stringify(storeIds),
    requested ?? 0,
    day,
    readingKey,
  ])
  for (const [index, value] of (mine ?? []).entries()) {
    const against = theirs?.[index] ?? 0
    if (value !== against) return value > against ? 1 : -1
  }
  return 0
}

/**
 * All places of the parts. Where two apps are given for one place, or two places for one app, the better place and the
 * lower id win. The losers are kept, since a later part may displace the winner.
 */
function joined(one: ChartCapture, other: ChartCapture, bound: number): ChartCapture {
  const reported = [one, other].flatMap(({ storeIds, beaten }) => [
    ...storeIds.flatMap((id, index): [number, string][] => (id === null ? [] : [[index + 1, id]])),
    ...(beaten ?? []),
  ])
  const depth = Math.min(bound, Math.max(one.storeIds.length, other.storeIds.length))
  const storeIds: (string | null)[] = Array.from({ length: depth }, () => null)
  const beaten = new Map<string, [number, string]>()
  const placed = new Set<string>()
  for (const [place, id] of reported.toSorted(betterPlace)) {
    if (storeIds[place - 1] === id) continue
    if (storeIds[place - 1] === null && !placed.has(id)) {
      storeIds[place - 1] = id
      placed.add(id)
    } else beaten.set(`${place} ${id}`, [place, id])
  }
  const { readingId, readingKey, readAs } = one.readingKey > other.readingKey ? one : other
  const requested = Math.max(one.requested ?? 0, other.requested ?? 0) || null
  const day = one.day > other.day ? one.day : other.day
  return {
    readingId,
    readingKey,
    readAs,
    day,
    requested,
    storeIds,
    inParts: true,
    beaten: beaten.size === 0 ? null : [...beaten.values()],
  }
}

/** The ranks in one reading of some places of a chart at an instant (`RanksOfList`). */
export interface RankListOfReading {
  readingId: string
  /** `Reading.key`. */
  readingKey: string
  /** As in a `ChartCapture`. */
  readAs: string
  /** Storefront date, `YYYY-MM-DD`. */
  day: string
  /** As in `RanksOfList`. */
  mayJoin: boolean
  ranks: RankListEntry[]
}

/**
 * Joins the parts of a chart with lists with gaps of the same instant. Lists that fill every place up to their last one,
 * together or with the parts, are merged into the chart; a list that reaches beyond is kept separately. Of a chart that is
 * whole or full, no list is kept. More lists only deepen the chart: the result does not depend on their order.
 * @param bound maximum places stored of a chart
 */
export function joinRankLists<List extends RankListOfReading>(
  capture: ChartCapture | undefined,
  lists: readonly List[],
  bound: number,
): { capture: ChartCapture | undefined; lists: List[] } {
  const isFull = (one: ChartCapture | undefined) =>
    one !== undefined && (!one.inParts || one.storeIds.length >= bound)
  if (isFull(capture)) return { capture, lists: [] }
  const ordered = lists
    .filter((list) => list.mayJoin && lastPlace(list) > 0)
    .sort((one, other) => lastPlace(one) - lastPlace(other))
  const start = capture?.storeIds.length ?? 0
  const filled = new Set<number>()
  let joinedUpTo = 0
  for (const [index, list] of ordered.entries()) {
    for (const { rank } of list.ranks) if (rank !== null && rank > start) filled.add(rank)
    if (start + filled.size === Math.max(start, lastPlace(list))) joinedUpTo = index + 1
  }
  const fitting = ordered.slice(0, joinedUpTo)
  const deeper = fitting
    .map((list) => partOf(list, bound))
    .reduce<ChartCapture | undefined>(
      (known, part) => (known ? mergeCaptures(known, part, bound) : part),
      capture,
    )
  return {
    capture: deeper,
    lists: isFull(deeper) ? [] : lists.filter((list) => !fitting.includes(list)),
  }
}

const lastPlace = ({ ranks }: RankListOfReading) => Math.max(0, ...ranks.map(({ rank }) => rank ?? 0))

function partOf(list: RankListOfReading, bound: number): ChartCapture {
  const { readingId, readingKey, readAs, day } = list
  const depth = Math.min(bound, lastPlace(list))
  const told = list.ranks.flatMap(({ rank, storeId }): [number, string][] =>
    rank === null || rank > depth ? [] : [[rank, storeId]],
  )
  const storeIds = Array.from({ length: depth }, () => null)
  const part = { readingId, readingKey, readAs, day, requested: null, storeIds, inParts: true }
  // Lists may state several apps for one place.
  return joined({ ...part, beaten: told }, { ...part, beaten: null }, bound)
}

function betterPlace([place, id]: [number, string], [otherPlace, otherId]: [number, string]): number {
  if (place !== otherPlace) return place - otherPlace
  return id.length - otherId.length || (id < otherId ? -1 : 1)
}
