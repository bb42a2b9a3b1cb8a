/** How an app moved up in one chart: two ranks that captures show, and nothing about what follows. */
export interface MoveUp {
  /** Its best rank in the oldest captures that show it. */
  from: number
  /** The capture that shows that rank. */
  since: number
  /** In the newest capture. */
  rank: number
}

/** Captures at either end, so that one odd capture makes no move. */
const captures = 3
/** How much better each of the newest ranks must be: 15 to 13, or 5 to 4. */
const leastRatio = 1.15

/**
 * The places that an app won and holds: each of its newest three ranks is better than the best of its oldest three. It
 * describes; apps that moved up stand better later less often than others do (docs/models/emerging.md).
 * @param ranks oldest first, 0 where a capture does not show the app
 * @param start the first capture looked at, @param end the one behind the newest
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
