import { addDays, daysBetween } from '../../evidence/days.ts'

/** Days of the windows that are offered. */
export const windows = [30, 90, 365] as const
export type Window = (typeof windows)[number]

/** Days that one request may span (docs/api). */
const mostDays = 1_100

/**
 * The window that an address asks for: the days it names, or so many until today.
 * @param today `YYYY-MM-DD`
 */
export function dayWindowOf(
  { last = 90, from, to }: { last?: Window; from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string; last: Window | undefined } {
  if (from === undefined && to === undefined) return { from: addDays(today, 1 - last), to: today, last }
  const end = to ?? today
  const start = from ?? addDays(end, 1 - last)
  if (start > end) return { from: end, to: end, last: undefined }
  return {
    from: daysBetween(start, end) >= mostDays ? addDays(end, 1 - mostDays) : start,
    to: end,
    last: undefined,
  }
}

export const today = (): string => new Date().toISOString().slice(0, 10)
