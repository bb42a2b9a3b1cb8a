import type { ChartPlacement, Places } from './placements.ts'

/** An app that a chart shows for the first time. */
export interface Entry {
  /** The best rank of the window. */
  rank: number
  /** Whether it stands in the newest capture. */
  stays: boolean
  /** Days from the last capture without it to the newest, at least 1. */
  days: number
}

/** An app that stands much better than at the start of the window. */
export interface Climb {
  from: number
  to: number
  /** Days since it last stood where it started, at least 1. */
  days: number
}

const dayMs = 86_400_000
const daysBetween = (from: number, to: number) => Math.max(1, Math.round((to - from) / dayMs))

/**
 * The entry of an app that no earlier capture shows, undefined when this is none. Only places that the capture before the
 * window looked at count: an app further down may have been there all along. Whoever calls makes sure that captures
 * older than that one do not show the app either.
 */
export function entryOf(
  placement: ChartPlacement,
  before: Places | undefined,
  within: readonly Places[],
): Entry | undefined {
  const newest = within.at(-1)
  if (!before || !newest || placement.before !== null || placement.best > before.storeIds.length)
    return undefined
  const absent = within.findLast(({ capturedAt }) => capturedAt < placement.firstAt) ?? before
  return {
    rank: placement.best,
    stays: placement.newest !== null,
    days: daysBetween(absent.capturedAt, newest.capturedAt),
  }
}

/** A place or two is noise, and so is any move among the last places of a chart. */
const leastPlaces = 10
const leastRatio = 1.5

/** The climb of an app from the start of the window, or from its first place in it; undefined when this is none. */
export function climbOf(placement: ChartPlacement, within: readonly Places[]): Climb | undefined {
  const newest = within.at(-1)
  const { start, newest: to } = placement
  if (!newest || to === null) return undefined
  if (start.rank - to < leastPlaces || start.rank < to * leastRatio) return undefined
  return { from: start.rank, to, days: daysBetween(start.capturedAt, newest.capturedAt) }
}
