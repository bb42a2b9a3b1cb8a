import { normalForm } from '../../../text/normal-form.ts'
import { storedTerms } from '../../../text/search-terms.ts'

/**
 * The terms under which search stores posts and ads. Words stand as they are; everything else begins with a sign that no
 * word holds, so no text can be taken for a filter.
 */

/** Longer values are cut, when stored and when asked for: an index entry has a limit. */
const longestValue = 120
/** Terms of texts that are stored of one creative at most. */
const mostWords = 1_500

/** A term for something filtered by, such as `#n:tiktok`; case and width of the value do not matter. */
export function filterTerm(kind: string, value: string): string {
  return `#${kind}:${[...normalForm(value.slice(0, 10 * longestValue), 'NFKC').toLowerCase()].slice(0, longestValue).join('')}`
}

/** The words of texts, and, marked with `^`, those of the texts that say most about it. */
export function wordTerms(leading: string, others: string): string[] {
  const first = storedTerms(leading)
  const all = new Set([...first, ...storedTerms(others)])
  return [...[...first].slice(0, mostWords).map(leadingTerm), ...[...all].slice(0, mostWords)]
}

/** A word of a title, a hashtag, an author or an advertiser. */
export const leadingTerm = (word: string) => `^${word}`

/** A word of the advertiser's name, for who asks for an advertiser. */
export const advertiserTerm = (word: string) => `@${word}`

/** `pt-BR` is found as itself and as `pt`. */
export function languageTerms(tag: string | null | undefined): string[] {
  if (!tag) return []
  const parts = tag.split('-')
  return parts.map((_, at) => filterTerm('l', parts.slice(0, at + 1).join('-')))
}

/** Years outside count as the nearest of these, so that spans without an end are short lists. */
export const years = { first: 2000, last: 2040 }

export function yearWithin(date: string): number {
  return Math.min(years.last, Math.max(years.first, Number(date.slice(0, 4))))
}

/** The year and the month of a date, so that a span of time narrows what is looked at. */
export function dateTerms(date: string | null | undefined): string[] {
  return date ? [filterTerm('y', String(yearWithin(date))), filterTerm('ym', date.slice(0, 7))] : []
}

/** One term for each step that a number reaches. */
export function stepTerms(kind: string, value: number | null, steps: readonly number[]): string[] {
  if (value === null) return []
  return steps.filter((step) => value >= step).map((step) => filterTerm(kind, String(step)))
}

/** Seconds since 1970 of a time or a date in text; null where there is none that can be read. */
export function secondsOf(time: string | null | undefined): number | null {
  const seconds = time ? Date.parse(time) / 1000 : Number.NaN
  return Number.isFinite(seconds) ? seconds : null
}
