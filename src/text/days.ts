import { DateTime } from 'luxon'

/** A day in a sentence: `27 Sep 2026` of `2026-09-27`. */
export const dayInWords = (day: string): string =>
  DateTime.fromISO(day, { zone: 'utc' }).toFormat('d LLL yyyy', { locale: 'en' })
