import type { Places } from './standings.ts'

/** An app's first appearance in a chart. */
export interface Entry {
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
export function entryOf(
  ranks: ArrayLike<number>,
  before: Places | undefined,
  within: readonly Places[],
): Entry | undefined {
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
