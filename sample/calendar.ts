/**
 * Days are counted since 1970 in UTC, so that "30 days before" is a subtraction. The clock is never read: the caller names
 * the last day of the sample.
 */
const dayMs = 86_400_000

/** The period of the sample. The plots of the apps need about 60 days. */
export type Span = {
  readonly seed: number
  /** The last day, `YYYY-MM-DD`. */
  readonly until: string
  /** Default 90. */
  readonly days?: number
}

export function lastDay(span: Span): number {
  const at = Date.parse(`${span.until}T00:00:00Z`)
  if (Number.isNaN(at)) throw new RangeError(`until must be a day such as 2026-11-20, not ${span.until}`)
  return at / dayMs
}

export function firstDay(span: Span): number {
  return lastDay(span) - (span.days ?? 90) + 1
}

/** `YYYY-MM-DD` */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** RFC 3339 to the second, in Apple's format. `seconds` count from midnight. */
export function timeText(day: number, seconds: number): string {
  return `${new Date(day * dayMs + seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** Sunday is 0. 1970 began on a Thursday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
