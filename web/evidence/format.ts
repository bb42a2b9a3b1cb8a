import type { Country, Money, Total } from './shapes.ts'

/** Numbers and times in English, as the pages are. Formatters are made once: making one costs more than a use. */
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const oneDigit = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero', maximumFractionDigits: 0 })
const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })
const localMonth = new Intl.DateTimeFormat('en', { month: 'short' })
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const regions = new Intl.DisplayNames('en', { type: 'region' })
const languages = new Intl.DisplayNames('en', { type: 'language' })

/** `12,345` */
export const count = (value: number): string => whole.format(value)
/** `1 ad`, `12,345 ads`; the word for more than one has to be given where it is not the other with an s. */
export const countWithNoun = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`
/** `12.3K` */
export const compactNumber = (value: number): string => short.format(value)
/** `4.6` */
export const decimal = (value: number): string => oneDigit.format(value)
/** A share from 0 to 1 as a percentage: `12.5%`. */
export const percentText = (value: number): string => percent.format(value)
/** `+3`, `-2`, `0` */
export const signedNumber = (value: number): string => signed.format(value)

const inYear = (dayAndMonth: string, year: number, thisYear: number): string =>
  year === thisYear ? dayAndMonth : `${dayAndMonth} ${year}`

/** `20 Nov` of `2026-11-20`, or of the day of an instant in UTC; `20 Nov 2025` where the year is not this one. */
export function dayText(value: string, now = Date.now()): string {
  const at = new Date(value)
  return inYear(`${at.getUTCDate()} ${month.format(at)}`, at.getUTCFullYear(), new Date(now).getUTCFullYear())
}

/** `13–20 Nov`, `28 Oct – 3 Nov`, `28 Dec 2025 – 3 Jan 2026`; one day alone as `dayText` writes it. */
export function spanText(from: string, to: string, now = Date.now()): string {
  const [first, last] = [new Date(from), new Date(to)]
  if (first.getUTCFullYear() !== last.getUTCFullYear()) return `${dayWithYear(from)} – ${dayWithYear(to)}`
  if (first.getUTCMonth() !== last.getUTCMonth())
    return `${first.getUTCDate()} ${month.format(first)} – ${dayText(to, now)}`
  const isOneDay = first.getUTCDate() === last.getUTCDate()
  return isOneDay ? dayText(to, now) : `${first.getUTCDate()}–${dayText(to, now)}`
}

const dayWithYear = (value: string): string => dayText(value, Number.NaN)

/** `Nov` of a day. */
export const monthText = (value: string): string => month.format(new Date(value))
/** The time zone of the browser, in which moments are shown: `Europe/Berlin`. */
export const timeZone = clock.resolvedOptions().timeZone
/** `20 Nov, 14:05`, in the time zone of the browser; with the year as `dayText`. */
export function momentText(value: string, now = Date.now()): string {
  const at = new Date(value)
  const thisYear = new Date(now).getFullYear()
  return `${inYear(`${at.getDate()} ${localMonth.format(at)}`, at.getFullYear(), thisYear)}, ${clock.format(at)}`
}
/** `14:05` */
export const clockText = (value: number): string => clock.format(value)

/** A price or a sum: `$4.99`. Free is a price of zero and is written as a word. */
export function money({ amount, currency }: Money): string {
  if (amount === 0) return 'Free'
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
}

/** A large sum of money: `$12.3K`. */
export function compactMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(amount)
}

/** A count that may be bounded: `1,204` or `at least 1,000`. */
export const totalText = ({ value, relation }: Total): string =>
  relation === 'exact' ? count(value) : `at least ${count(value)}`

/** A total with its noun: `at least 1,000 ads`. */
export const totalOf = ({ value, relation }: Total, one: string, more?: string): string =>
  `${relation === 'exact' ? '' : 'at least '}${countWithNoun(value, one, more)}`

const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Tolerance for times that seem to be in the future: clocks differ, by an hour where a time zone is wrong. */
const clockError = 3_600

/** `3 days ago` of what has happened; `now` where the clock of this browser is behind that of the service. */
export function timeAgo(value: string, now = Date.now()): string {
  const ahead = (Date.parse(value) - now) / 1_000
  return ahead > 0 && ahead <= clockError ? relative.format(0, 'second') : fromNow(value, now)
}

/** `in 2 hours`, `3 days ago`, `now`. */
export function fromNow(value: string, now = Date.now()): string {
  const seconds = (Date.parse(value) - now) / 1_000
  const [unit, length] = spans.find(([, span]) => Math.abs(seconds) >= span) ?? ['second', 0]
  return length === 0 ? relative.format(0, 'second') : relative.format(Math.trunc(seconds / length), unit)
}

/** `Germany` of `de`. */
export const countryName = (code: Country | string): string =>
  code === 'xk' ? 'Kosovo' : (regions.of(code.toUpperCase()) ?? code.toUpperCase())

/** `German` of `de`; the tag itself where it names no language. */
export function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Bytes as people say them: `182 MB`. */
export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = value < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3))
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumSignificantDigits: 3,
  }).format(value / 1_000 ** step)
}

/** `1:05` of 65 seconds. */
export function playTime(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/**
 * A text of strangers for the middle of a sentence that is plain text. Their marks of direction are left out: one that is
 * not closed, or that closes what it did not open, would turn the words after it.
 */
export const isolateDirection = (text: string): string =>
  `\u2068${text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`
