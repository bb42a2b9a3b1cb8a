import { DateTime } from 'luxon'

/** The seven days of a report. */
export interface Week {
  /** The dates, oldest first, as days of each storefront. */
  days: readonly string[]
  from: Date
  /** Exclusive. */
  until: Date
  /** IANA name of the zone in which it begins and ends. */
  timeZone: string
  /** Whether the week has not ended yet. */
  isRunning: boolean
}

export interface RequestedWeek {
  /** ISO week, such as `2026-W47`. */
  week?: string
  /** The last of seven days, `YYYY-MM-DD`. */
  until?: string
}

const daysOfWeek = 7

/**
 * The requested week, by default the last complete one from Monday to Sunday.
 * @returns why there is none, in a sentence, for one that has not begun
 */
export function resolveWeek({ week, until }: RequestedWeek, timeZone: string, now: Date): Week | string {
  const zone = { zone: timeZone }
  const today = DateTime.fromJSDate(now, zone).startOf('day')
  const first =
    week !== undefined
      ? DateTime.fromISO(week, zone)
      : until !== undefined
        ? DateTime.fromISO(until, zone).minus({ days: daysOfWeek - 1 })
        : today.startOf('week').minus({ weeks: 1 })
  if (!first.isValid) return `There is no week ${week ?? until}.`
  if (first > today) return `The week of ${first.toFormat('d LLL yyyy', { locale: 'en' })} has not begun yet.`
  const end = first.plus({ days: daysOfWeek })
  return {
    days: daysFrom(first, daysOfWeek),
    from: first.toJSDate(),
    until: end.toJSDate(),
    timeZone,
    isRunning: end.toJSDate() > now,
  }
}

/** The days of a drawing, which ends with the last day of a week; oldest first. */
export function lastDaysOfWeek({ days }: Week, count: number): string[] {
  const last = DateTime.fromISO(days.at(-1) ?? '', { zone: 'utc' })
  return daysFrom(last.minus({ days: count - 1 }), count)
}

const daysFrom = (first: DateTime, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    first.plus({ days: index }).toFormat('yyyy-MM-dd', { locale: 'en' }),
  )
