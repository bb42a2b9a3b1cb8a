import { isCalendarDate, isSupportedYear } from './fields.ts'

/** A time as stated in a file or by a person. */
export interface StatedTime {
  at: Date
  /** Set when only a date was stated; `at` is then its first instant in UTC. */
  day?: string
}

const stated = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Reads `2025-01-02`, `2025-01-02T22:10Z`, `2025-01-02T2210Z` or RFC 3339, to the millisecond; without a zone it is UTC.
 * @returns undefined when the text is no time, or not in the supported years 1900 to 2099
 */
export function statedTime(text: string): StatedTime | undefined {
  const match = stated.exec(text.trim())
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour, minute, second = '00', fraction = '', zone = 'Z'] = match
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined
  const date = `${year}-${month}-${day}`
  if (hour === undefined) {
    const at = new Date(`${date}T00:00:00Z`)
    return isSupportedYear(at) ? { at, day: date } : undefined
  }
  const at = new Date(
    `${date}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`,
  )
  return isSupportedYear(at) ? { at } : undefined
}

/** Whether a file is named by the time at which its post was published, as instaloader names them, which is not when it was seen. */
export const namesPublication = (name: string): boolean => /\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}_UTC/.test(name)

/** The first date in a file name, with its time where one follows after a T. */
export function timeInName(name: string): StatedTime | undefined {
  for (const match of name.matchAll(
    /(?<!\d)(\d{4}-\d{2}-\d{2}(?:T\d{2}[:.-]?\d{2}(?:[:.-]?\d{2})?Z?)?)(?![\d])/g,
  )) {
    const [date = '', clock] = (match[1] ?? '').split('T')
    const time = statedTime(clock ? `${date}T${clock.replace(/[:.-]/g, '')}` : date)
    if (time) return time
  }
  return undefined
}
