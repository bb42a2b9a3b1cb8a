/** A capture with its places. */
export interface Places {
  /** Milliseconds since 1970. */
  capturedAt: number
  /** App ids in the order of their ranks; empty where an entry could not be read. */
  storeIds: readonly string[]
}

/** How one app stood in one chart over the window. */
export interface ChartPlacement {
  storeId: string
  /** Captures of the window that show it. */
  captures: number
  /** Rank in the capture before the window; null when that one does not show it, or there is none. */
  before: number | null
  /** The first capture of the window that shows it. */
  firstAt: number
  /** Its rank before the window, or else its first rank in it, with the last capture in which it stood no better. */
  start: { capturedAt: number; rank: number }
  best: number
  /** Rank in the newest capture; null when it stands there no longer. */
  newest: number | null
}

/**
 * Standings of all apps that the window shows and that count: an app must stand in the newest capture or in two, since
 * one odd capture can hold anything.
 * @param within at least one capture, oldest first
 */
export function placementsOf(before: Places | undefined, within: readonly Places[]): ChartPlacement[] {
  const ranksBefore = new Map(before?.storeIds.map((storeId, index) => [storeId, index + 1]))
  const placements = new Map<string, ChartPlacement>()
  for (const { capturedAt, storeIds } of within) {
    for (const [index, storeId] of storeIds.entries()) {
      if (storeId === '') continue
      const rank = index + 1
      const known = placements.get(storeId)
      if (known) {
        known.captures += 1
        known.best = Math.min(known.best, rank)
        if (rank >= known.start.rank) known.start.capturedAt = capturedAt
      } else {
        const rankBefore = ranksBefore.get(storeId) ?? null
        const startedAt = rankBefore !== null && before && rank < rankBefore ? before.capturedAt : capturedAt
        placements.set(storeId, {
          storeId,
          captures: 1,
          before: rankBefore,
          firstAt: capturedAt,
          start: { capturedAt: startedAt, rank: rankBefore ?? rank },
          best: rank,
          newest: null,
        })
      }
    }
  }
  for (const [index, storeId] of within.at(-1)?.storeIds.entries() ?? []) {
    const placement = placements.get(storeId)
    if (placement) placement.newest = index + 1
  }
  return [...placements.values()].filter(({ captures, newest }) => newest !== null || captures > 1)
}
