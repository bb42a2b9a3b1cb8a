import { normalForm } from '../../../text/normal-form.ts'
import { storedTerms } from '../../../text/search-terms.ts'

/**
 * The terms under which search stores posts and ads. Words are stored as they are; all other terms begin with a sign that
 * cannot occur in a word, so that no text can be mistaken for a filter.
 */

/** Longer values are cut, on write and in queries: index entries have a size limit. */
const longestValue = 120
/** Maximum number of terms stored for the texts of one creative. */
const mostWords = 1_500

/** A filter term such as `#n:tiktok`; ignores case and width of the value. */
export function filterTerm(kind: string, value: string): string {
  return `#${kind}:${[...normalForm(value.slice(0, 10 * longestValue), 'NFKC').toLowerCase()].slice(0, longestValue).join('')}`
}

/** The words of texts; those of leading texts are added again with the mark `^`. */
export function wordTerms(leading: string, others: string): string[] {
  const first = storedTerms(leading)
  const all = new Set([...first, ...storedTerms(others)])
  return [...[...first].slice(0, mostWords).map(leadingTerm), ...[...all].slice(0, mostWords)]
}

/** A word of a title, a hashtag, an author or an advertiser. */
export const leadingTerm = (word: string) => `^${word}`

/** A word of the advertiser's name, for the advertiser filter. */
export const advertiserTerm = (word: string) => `@${word}`

/** `pt-BR` matches as itself and as `pt`. */
export function languageTerms(tag: string | null | undefined): string[] {
  if (!tag) return []
  const parts = tag.split('-')
  return parts.map((_, at) => filterTerm('l', parts.slice(0, at + 1).join('-')))
}

/** Years outside are clamped to these, so that open ranges are short lists. */
export const years = { first: 2000, last: 2040 }

export function yearWithin(date: string): number {
  return Math.min(years.last, Math.max(years.first, Number(date.slice(0, 4))))
}

/** The year and the month of a date, which narrow a range of time. */
export function dateTerms(date: string | null | undefined): string[] {
  return date ? [filterTerm('y', String(yearWithin(date))), filterTerm('ym', date.slice(0, 7))] : []
}

/** One term for each step that a number reaches. */
export function stepTerms(kind: string, value: number | null, steps: readonly number[]): string[] {
  if (value === null) return []
  return steps.filter((step) => value >= step).map((step) => filterTerm(kind, String(step)))
}

/** Seconds since 1970 of a time or date text; null where it cannot be parsed. */
export function secondsOf(time: string | null | undefined): number | null {
  const seconds = time ? Date.parse(time) / 1000 : Number.NaN
  return Number.isFinite(seconds) ? seconds : null
}
