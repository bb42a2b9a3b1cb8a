const dayMs = 86_400_000

/** The day so many days later, or earlier when negative: `2026-03-01` of `2026-02-28` and 1. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** How many days the second day is after the first. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The days that end with one, oldest first. */
export const daysUntil = (to: string, days: number): string[] =>
  Array.from({ length: days }, (_, index) => addDays(to, index - days + 1))
