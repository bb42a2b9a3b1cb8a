/** A capture with its places. */
export interface CapturePlaces {
  /** Milliseconds since 1970. */
  capturedAt: number
  /** App ids in the order of their ranks; empty where an entry could not be read. */
  storeIds: readonly string[]
}

/** The ranks of every app in some captures of a chart, at the index of the capture; 0 where it does not show the app. */
type RanksByApp = Map<string, Uint16Array>

/** @param captures oldest first */
export function ranksByApp(captures: readonly CapturePlaces[]): RanksByApp {
  const ranksOfApps: RanksByApp = new Map()
  for (const [index, { storeIds }] of captures.entries()) {
    for (let place = 0; place < storeIds.length; place++) {
      const storeId = storeIds[place]
      if (!storeId) continue
      const known = ranksOfApps.get(storeId)
      const ranks = known ?? new Uint16Array(captures.length)
      if (!known) ranksOfApps.set(storeId, ranks)
      if (ranks[index] === 0) ranks[index] = place + 1
    }
  }
  return ranksOfApps
}

/** An app's first appearance in a chart. */
export interface ChartEntrance {
  /** In the newest capture. */
  rank: number
  best: number
  /** Number of captures that show it. */
  captures: number
  /** Days from the last capture without it to the newest, at least 1. */
  days: number
}

const dayMs = 86_400_000

/**
 * The entry of an app that is in the newest capture and in no earlier one; undefined when it is none. Only places within the
 * depth of the capture before the window count: an app further down may have been there all along. The caller checks that
 * older captures do not show the app either.
 * @param ranks in the window, 0 where a capture does not show the app
 */
export function entranceOf(
  ranks: ArrayLike<number>,
  before: CapturePlaces | undefined,
  within: readonly CapturePlaces[],
): ChartEntrance | undefined {
  const rank = ranks[within.length - 1] ?? 0
  const newest = within.at(-1)
  if (!before || !newest || rank === 0) return undefined
  const shown = Array.from({ length: within.length }, (_, index) => ranks[index] ?? 0)
  const best = Math.min(...shown.filter((one) => one > 0))
  if (best > before.storeIds.length) return undefined
  const first = shown.findIndex((one) => one > 0)
  const absent = within[first - 1] ?? before
  return {
    rank,
    best,
    captures: shown.filter((one) => one > 0).length,
    days: Math.max(1, Math.round((newest.capturedAt - absent.capturedAt) / dayMs)),
  }
}

/** A move up of an app in one chart: two observed ranks, no forecast. */
export interface MoveUp {
  /** Its best rank in the oldest captures that show it. */
  from: number
  /** Index of the capture with that rank. */
  since: number
  /** In the newest capture. */
  rank: number
}

/** Captures compared at either end, so that a single odd capture makes no move. */
const captures = 3
/** Minimum ratio of the old rank to each of the newest: 15 to 13, or 5 to 4. */
const leastRatio = 1.15

/**
 * The move of an app that gained places and holds them: each of its newest three ranks is better than the best of its oldest
 * three. It only describes: apps that moved up have better ranks later less often than others do (docs/models/emerging.md).
 * @param ranks oldest first, 0 where a capture does not show the app
 * @param start index of the first capture read, @param end index after the newest
 */
export function moveUpOf(ranks: ArrayLike<number>, start: number, end: number): MoveUp | undefined {
  const recent = end - captures
  let worst = 0
  for (let index = recent; index < end; index++) {
    const rank = ranks[index] ?? 0
    if (rank === 0) return undefined
    worst = Math.max(worst, rank)
  }
  let [from, since, looked] = [Number.POSITIVE_INFINITY, start, 0]
  for (let index = start; index < recent && looked < captures; index++) {
    const rank = ranks[index] ?? 0
    if (rank === 0) continue
    looked++
    if (rank < from) [from, since] = [rank, index]
  }
  if (looked === 0 || from < worst * leastRatio) return undefined
  return { from, since, rank: ranks[end - 1] ?? 0 }
}
