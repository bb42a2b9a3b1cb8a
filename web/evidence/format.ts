import type { Country, Money, Total } from './shapes.ts'

/** Numbers and times as the browser's language writes them. Formatters are made once: making one costs more than a use. */
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 })
const oneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 0 })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const regions = new Intl.DisplayNames(undefined, { type: 'region' })
const languages = new Intl.DisplayNames(undefined, { type: 'language' })

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
/** `Nov 20, 2026` of `2026-11-20`, or of the day of an instant in UTC. */
export const dayText = (value: string): string => day.format(new Date(value))
/** `Nov` of a day. */
export const monthText = (value: string): string => month.format(new Date(value))
/** `Nov 20` */
export const shortDayText = (value: string): string => shortDay.format(new Date(value))
/** The time zone of the browser, in which moments are told: `Europe/Berlin`. */
export const timeZone = moment.resolvedOptions().timeZone
/** `Nov 20, 2026, 10:32 AM`, in the time zone of the browser. */
export const momentText = (value: string): string => moment.format(new Date(value))
/** `10:32 AM` */
export const clockText = (value: number): string => clock.format(value)

/** A price or a sum: `$4.99`. Free is a price of zero and is written as a word. */
export function money({ amount, currency }: Money): string {
  if (amount === 0) return 'Free'
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
}

/** A large sum of money: `$12.3K`. */
export function compactMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
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
  return new Intl.NumberFormat(undefined, {
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

/** A text that stands alone, as part of a sentence: "Rival of Brook" becomes "rival of Brook". */
export const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
