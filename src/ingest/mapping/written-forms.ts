import { DateTime } from 'luxon'
import { isSupportedYear } from '../fields.ts'
import { statedTime } from '../times.ts'
import { UnfitPayload } from '../unfit-payload.ts'

/** A date format as a mapping names it, compiled. */
export interface DateForm {
  name: string
  /** The Luxon pattern; undefined for named formats. */
  pattern?: string
  hasYear: boolean
  hasTime: boolean
}

/** Formats that have a name instead of a pattern. */
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

/** Parts of a pattern that Luxon names otherwise. */
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
 * @param year for dates without one
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
    if (!reported || !isSupportedYear(reported.at)) continue
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

/** The number format of a file: its thousands and decimal separators. */
interface NumberForm {
  /** The text in JavaScript's notation; undefined for another format. */
  read(text: string): string | undefined
}

/** Spaces used as thousands separators: no-break and narrow ones of Unicode. */
const blank = /[\u00a0\u2007\u2009\u202f]/g
/** Apostrophes used as thousands separators in Switzerland. */
const apostrophe = /[\u2019\u02bc]/g
const minus = /^\u2212/

/**
 * The number format of an example: `1.234,5`, `1 234,56`, `1'234`, `1,23,456.7`, `1234,5`.
 * @returns undefined where it is no such example
 */
export function numberForm(example: string): NumberForm | undefined {
  const [, first = '', mark = '', rest = '', decimal = ''] =
    /^(\d{1,3})(?:([.,' ])((?:\d{2,3}\2)*\d{3}))?(?:([.,])\d+)?$/.exec(plain(example)) ?? []
  const isOne = first !== '' && (mark === '' || mark !== decimal)
  if (!isOne) return /^\d+[.,]\d+$/.test(example) ? formOf('', 3, example.includes(',') ? ',' : '.') : undefined
  const group = rest.split(mark || ' ').length > 1 ? (rest.split(mark)[0]?.length ?? 3) : 3
  return mark === '' && decimal === '' ? undefined : formOf(mark, group, decimal)
}

const plain = (text: string) =>
  text.trim().replaceAll(blank, ' ').replaceAll(apostrophe, "'").replace(minus, '-')

function formOf(mark: string, group: number, decimal: string): NumberForm {
  const grouped = mark === '' ? '' : `|\\d{1,3}(?:[${mark}]\\d{${group}})*[${mark}]\\d{3}`
  const pattern = new RegExp(`^[+-]?(?:\\d+${grouped})(?:${decimal === '' ? '(?!)' : `[${decimal}]`}\\d+)?$`)
  return {
    read(text) {
      const written = plain(text)
      if (!pattern.test(written)) return undefined
      const joined = mark === '' ? written : written.replaceAll(mark, '')
      return decimal === '' ? joined : joined.replace(decimal, '.')
    },
  }
}

const item =
  /\s*,?\s*(?:u?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")|(None|null|nan|NaN)|(-?\d+(?:\.\d+)?))\s*/suy
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** A text of Python or JSON without its escapes. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gsu, (_, four, two, one: string) =>
    one === undefined ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : (escapes[one] ?? one),
  )

/**
 * The parts of a list that Python, JSON or NumPy wrote into one text, such as `['EN', 'FR']`, without its empty ones.
 * @returns undefined for any other text, such as `[deleted]`
 */
export function writtenList(text: string): string[] | undefined {
  const [, inside] = /^\s*(?:\[(.*)\]|\((.*)\))\s*$/s.exec(text)?.filter((part) => part !== undefined) ?? []
  if (inside === undefined) return undefined
  const parts: string[] = []
  let at = 0
  while (at < inside.trimEnd().length) {
    item.lastIndex = at
    const found = item.exec(inside)
    if (!found) return /^\s*,\s*$/.test(inside.slice(at)) && at > 0 ? parts : undefined
    const [, single, double, , number] = found
    const part = single ?? double
    if (part !== undefined) parts.push(unescaped(part))
    else if (number !== undefined) parts.push(number)
    at = item.lastIndex
  }
  return parts
}

const quoted = String.raw`u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`
/**
 * Whether a text looks like a list or object written by a program that `writtenList` cannot parse: truncated, or not of
 * texts.
 */
const unreadList = new RegExp(
  String.raw`^\s*(?:[[(]\s*${quoted}\s*,\s*u?['"]|\[\s*\{\s*${quoted}\s*:|\{\s*${quoted}\s*:)`,
  's',
)

/**
 * The texts of a value: a single text, a JSON list, or a list that a program wrote into one text.
 * @returns null where there is none
 * @throws UnfitPayload for an object, a list of others than texts, and a list that breaks off
 */
export function textsOf(field: string, value: unknown): string[] | null {
  if (value === undefined || value === null || value === '') return null
  const written = typeof value === 'string' ? writtenList(value) : undefined
  const isBroken = typeof value === 'string' && !written && unreadList.test(value)
  const parts = isBroken ? undefined : [written ?? value].flat()
  const texts = parts?.filter((part) => part !== null && part !== undefined)
  if (!texts || texts.some((part) => typeof part === 'object')) {
    const said = typeof value === 'string' ? value : JSON.stringify(value)
    throw new UnfitPayload(
      `${field}: holds no text but ${said.slice(0, 100)}; a mapping names a path within it, such as "name.0"`,
    )
  }
  return texts.length > 0 ? texts.map(String) : null
}

/** The only text in a value. @throws UnfitPayload for several, and as `textsOf` does */
export function onlyTextOf(field: string, value: unknown): string | null {
  const texts = textsOf(field, value)
  if (texts && texts.length > 1)
    throw new UnfitPayload(
      `${field}: holds ${texts.length} texts, and takes one: ${JSON.stringify(texts).slice(0, 100)}; a mapping of NDJSON names one of them, such as "name.0"`,
    )
  return texts?.[0] ?? null
}
