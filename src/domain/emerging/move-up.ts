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
