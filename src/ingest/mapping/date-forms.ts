import { DateTime } from 'luxon'
import { isToldOf } from '../apple/fields.ts'
import { statedTime } from '../times.ts'

/** A date format as a mapping names it, compiled. */
export interface DateForm {
  name: string
  /** The Luxon pattern; undefined for named formats. */
  pattern?: string
  hasYear: boolean
  hasTime: boolean
}

/** Forms that have a name instead of a pattern. */
const named: Readonly<Record<string, (text: string) => DateParts | undefined>> = {
  iso: (text) => {
    const time = statedTime(text)
    return time && { at: time.at, isDay: time.day !== undefined }
  },
  unix: (text) => moment(Number(text) * 1000, text),
  'unix-ms': (text) => moment(Number(text), text),
}

interface DateParts {
  at: Date
  isDay: boolean
}

const moment = (milliseconds: number, text: string) =>
  /^\d{1,14}(?:\.\d+)?$/.test(text) ? { at: new Date(Math.floor(milliseconds)), isDay: false } : undefined

/** The parts of a pattern; `m` is the month, and the minute beside an hour or a second, as in spreadsheets. */
const parts = /d{1,4}|m{1,4}|yyyy|yy|h{1,2}|s{1,2}|am\/pm|'[^']*'|[^\p{L}']+|\p{L}+|'/giu

/** Our parts whose Luxon name differs. */
const days: Readonly<Record<string, string>> = { ddd: 'EEE', dddd: 'EEEE' }

/**
 * Reads the name of a form: `d/m/yy`, `dd.mm`, `mmm d, yyyy`, `yyyy-mm-dd hh:mm`, `iso`, `unix` or `unix-ms`, in any case.
 * @returns why it is none
 */
export function dateForm(name: string): DateForm | string {
  const key = name.trim().toLowerCase()
  if (Object.hasOwn(named, key)) return { name, hasYear: true, hasTime: true }
  const found = name.match(parts) ?? []
  const isTwelve = found.some((part) => part.toLowerCase() === 'am/pm')
  const seen = new Set<string>()
  let pattern = ''
  for (const [index, part] of found.entries()) {
    const letters = part.toLowerCase()
    if (/^(?:d+|m+|y+|h+|s+|am\/pm)$/.test(letters)) {
      const isMinute = letters.length <= 2 && letters.startsWith('m') && isBesideClock(found, index)
      seen.add(isMinute ? 'minute' : (letters[0] ?? ''))
      pattern += isMinute
        ? letters
        : letters.startsWith('m')
          ? letters.toUpperCase()
          : letters.startsWith('h')
            ? isTwelve
              ? letters
              : letters.toUpperCase()
            : letters === 'am/pm'
              ? 'a'
              : (days[letters] ?? letters)
    } else if (part.startsWith("'") && part.length > 1) pattern += part
    else if (/^\p{L}/u.test(part) && /^[a-z]/i.test(part) && letters !== 't')
      return `"${name}" has the unknown part "${part}"`
    else pattern += `'${part}'`
  }
  if (!seen.has('d')) return `"${name}" names no day`
  if (!seen.has('m')) return `"${name}" names no month`
  return { name, pattern, hasYear: seen.has('y'), hasTime: seen.has('h') }
}

/** Whether the nearest part of a date before is an hour, or the nearest after it a second. */
function isBesideClock(found: readonly string[], index: number): boolean {
  const isPart = (part: string) => /^[dmyhs]/i.test(part)
  return (
    /^h/i.test(found.slice(0, index).findLast(isPart) ?? '') ||
    /^s/i.test(found.slice(index + 1).find(isPart) ?? '')
  )
}

/**
 * A date or time by the first of these forms that fits all of it, as `YYYY-MM-DD` or RFC 3339 in UTC.
 * @param forms names that `dateForm` reads
 * @param year of dates whose form names none
 * @returns undefined where none fits, and `no-year` where one would if the year were known
 */
export function readByForms(
  text: string,
  forms: readonly string[],
  year: string | undefined,
): string | 'no-year' | undefined {
  let lacksYear = false
  for (const form of forms.map(dateForm)) {
    if (typeof form === 'string') continue
    const reported = partsBy(form, text.trim(), year ?? leapYear)
    if (!reported || !isToldOf(reported.at)) continue
    if (form.hasYear || year !== undefined) {
      const time = reported.at.toISOString()
      return reported.isDay ? time.slice(0, 10) : time
    }
    lacksYear = true
  }
  return lacksYear ? 'no-year' : undefined
}

const leapYear = '2000'

function partsBy(
  { name, pattern, hasYear, hasTime }: DateForm,
  text: string,
  year: string,
): DateParts | undefined {
  const read = named[name.trim().toLowerCase()]
  if (read) return read(text)
  const [whole, form] = hasYear ? [text, pattern] : [`${year} ${text}`, `yyyy ${pattern}`]
  const time = DateTime.fromFormat(whole, form ?? '', { zone: 'utc', locale: 'en' })
  return time.isValid ? { at: time.toJSDate(), isDay: !hasTime } : undefined
}
