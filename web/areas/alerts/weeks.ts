/** An ISO week: its name, such as `2026-W47`, and its Monday. */
export interface Week {
  id: string
  monday: string
  sunday: string
}

const dayMs = 86_400_000

export const isWeek = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(value)

/** The day of a moment in a time zone, `YYYY-MM-DD`. @param timeZone its IANA name */
export function dayIn(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(at)
  const part = (type: 'year' | 'month' | 'day') => parts.find((one) => one.type === type)?.value
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** The week of a day and those before it, newest first. @param today of the reader's own calendar, `YYYY-MM-DD` */
export function weeksUntil(today: string, count: number): Week[] {
  const day = Date.parse(today)
  const monday = day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs
  return Array.from({ length: count }, (_, back) => weekOf(monday - back * 7 * dayMs))
}

function weekOf(monday: number): Week {
  // A week is of the year of its Thursday.
  const thursday = new Date(monday + 3 * dayMs)
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    id: `${year}-W${String(number).padStart(2, '0')}`,
    monday: dayOf(monday),
    sunday: dayOf(monday + 6 * dayMs),
  }
}
