/** How an app stands above its own past in one chart. */
export interface Rise {
  /** The middle of its ranks before its newest ones; where a capture does not show it, the place below the last. */
  from: number
  /** Its level: the middle of its newest ranks. */
  to: number
  /** In the newest capture. */
  rank: number
  /** The best of all. */
  best: number
  /** Captures that its level rests on. */
  held: number
}

/** Captures behind a level, at least and at most: half of those there are. */
const fewestHeld = 3
const mostHeld = 5
/** How much better the level must be than the past: 33 to 28, or 8 to 7. */
const leastRatio = 1.15
/** The newest rank may be so many times the best one; what stands further behind is past its peak. */
const pastPeak = 2

/**
 * Whether an app has risen: its level is better than its past, and the newest rank confirms the level. A newest rank
 * better than the level is a jump nobody has seen held yet: most of those fall back (docs/emerging.md).
 * @param ranks oldest first, 0 where a capture does not show the app
 * @param depths the places of these captures
 * @param start the first capture looked at, @param end the one behind the newest
 */
export function riseOf(
  ranks: ArrayLike<number>,
  depths: ArrayLike<number>,
  start: number,
  end: number,
): Rise | undefined {
  const count = end - start
  const held = Math.max(fewestHeld, Math.min(mostHeld, count >> 1))
  const rank = ranks[end - 1] ?? 0
  if (count <= held || !shownIn(ranks, end - fewestHeld, end)) return undefined
  const placed = (index: number) => ranks[index] || (depths[index] ?? 0) + 1
  const to = middle(placed, end - held, end)
  if (rank < to) return undefined
  const from = middle(placed, start, end - held)
  if (from < to * leastRatio) return undefined
  let best = rank
  let known = false
  for (let index = start; index < end; index++) {
    const one = ranks[index] ?? 0
    if (one > 0) best = Math.min(best, one)
    known ||= one > 0 && index < end - held
  }
  return known && rank <= best * pastPeak ? { from, to, rank, best, held } : undefined
}

function shownIn(ranks: ArrayLike<number>, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!ranks[index]) return false
  return true
}

/** The median of some places; between two of them, their mean. */
function middle(placed: (index: number) => number, start: number, end: number): number {
  const sorted = new Float64Array(end - start)
  for (let index = start; index < end; index++) sorted[index - start] = placed(index)
  sorted.sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2
}
