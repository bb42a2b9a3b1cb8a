import type { CaptureList } from '../charts/history-queries.ts'

export interface WatchedCapture {
  chartId: number
  /** Milliseconds since 1970. */
  capturedAt: number
}

/** The captures of one chart that a run uses. */
export interface WatchedChart {
  chartId: number
  /** The newest usable capture before the window; without one, entries cannot be recognised. */
  before: WatchedCapture | undefined
  /** The last usable capture of each day of the window, oldest first; at least one. */
  within: WatchedCapture[]
}

/** Days before the window in which a chart must have been captured for its entries to count as new. */
export const requiredDaysBefore = 30

const dayMs = 86_400_000

/** The day so many days after another; negative for before. Both `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** The day of the newest capture, `YYYY-MM-DD`; undefined when there is none. */
export function newestDay(lists: readonly CaptureList[]): string | undefined {
  return lists
    .flatMap(({ captures }) => captures.map(([, day]) => day))
    .reduce<string | undefined>(
      (newest, day) => (newest !== undefined && newest > day ? newest : day),
      undefined,
    )
}

/**
 * The last usable capture of each day. One with fewer than half of the chart's usual places, the median over the given
 * captures, is not used: apps missing from it may have been in the chart.
 */
export function usableByDay({ chartId, captures }: CaptureList): Map<string, WatchedCapture> {
  const places = captures.map(([, , returned]) => returned).sort((one, other) => one - other)
  const medianPlaces = places[places.length >> 1] ?? 0
  const lastOfDay = new Map<string, WatchedCapture>()
  for (const [capturedAt, day, returned] of captures)
    if (returned * 2 >= medianPlaces) lastOfDay.set(day, { chartId, capturedAt })
  return lastOfDay
}

/**
 * The usable captures of a chart for a run.
 * @param end last day of the window, which is `windowDays` long
 * @returns undefined when the window has no usable capture
 */
export function watchedChart(
  { chartId, captures }: CaptureList,
  end: string,
  windowDays: number,
): WatchedChart | undefined {
  const usable = usableByDay({ chartId, captures })
  const lastBefore = dayAfter(end, -windowDays)
  const firstWatched = dayAfter(lastBefore, 1 - requiredDaysBefore)
  const days = [...usable]
    .filter(([day]) => day >= firstWatched && day <= end)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const before = days.filter(([day]) => day <= lastBefore).at(-1)?.[1]
  const within = days.filter(([day]) => day > lastBefore).map(([, capture]) => capture)
  return within.length === 0 ? undefined : { chartId, before, within }
}
