import { type RawBuilder, sql } from 'kysely'
import { normalForm } from '../../../text/normal-form.ts'
import { storedTerms } from '../../../text/search-terms.ts'
import { textQuery } from '../../catalogue/search-plan.ts'

/** The condition of a search on posts or ads. In SQL, `s` is the row of terms and `t` the row of sort keys. */
export interface SearchCondition {
  /** Parts of a `tsquery` for the words of a text; all must match. */
  words: string[]
  /** Parts of a `tsquery` for filters; all must match. */
  terms: string[]
  /** As `terms`, but implied by `others`: they narrow the result of the term index and need no other check. */
  hints: string[]
  /** Predicates that terms cannot express. */
  others: RawBuilder<unknown>[]
  /** Whether `others` refer to `t`. */
  onSortKeys: boolean
}

/** A term quoted for a `tsquery`. */
export function quotedSearchTerm(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Any of these values of a filter. */
export function anyValueQuery(kind: string, values: readonly string[]): string {
  return `(${values.map((value) => quotedSearchTerm(filterTerm(kind, value))).join(' | ')})`
}

/** All words of a text, the last of which may be a prefix of three letters or more; undefined when it has none. */
export function allWordsQuery(text: string): string | undefined {
  const query = textQuery(text)
  const last = query?.tokens.at(-1)
  // One or two letters are too short for a prefix: about half of all rows match.
  const isShort = last?.kind === 'word' && [...last.text].length < shortestPrefix
  return isShort ? query?.terms.replace(/:\*$/, '') : query?.terms
}

const shortestPrefix = 3

/** As `allWordsQuery`, among the leading texts. */
export function leadingWordsQuery(text: string): string | undefined {
  return marked(text, leadingTerm)
}

/** All words of an advertiser's name. */
export function advertiserWordsQuery(text: string): string | undefined {
  return marked(text, advertiserTerm)
}

/** Tokens consist of letters and digits, so an opening quote is always followed by the first letter of a token. */
function marked(text: string, mark: (word: string) => string): string | undefined {
  return allWordsQuery(text)?.replace(/'([^']+)'/g, (_, word: string) => `'${mark(word)}'`)
}

/** The years and months that a range of days touches, both ends included, as one part of a `tsquery`. */
export function dateRangeQuery(from: string | undefined, to: string | undefined): string[] {
  if (from === undefined && to === undefined) return []
  const [first, last] = [from ?? String(years.first), to ?? `${years.last}-12`]
  const terms: string[] = []
  for (let year = yearWithin(first); year <= yearWithin(last); year++) {
    const months = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`)
    const within = months.filter((month) => month >= first.slice(0, 7) && month <= last.slice(0, 7))
    const isWhole = within.length === 12 || year === years.first || year === years.last
    if (isWhole) terms.push(filterTerm('y', String(year)))
    else terms.push(...within.map((month) => filterTerm('ym', month)))
  }
  return [terms.length === 0 ? quotedSearchTerm('#none') : `(${terms.map(quotedSearchTerm).join(' | ')})`]
}

/** The highest step at or below a lower bound, as parts of a `tsquery`. */
export function minimumStepQuery(kind: string, atLeast: number, steps: readonly number[]): string[] {
  const step = steps.findLast((step) => step <= atLeast)
  return step === undefined ? [] : [quotedSearchTerm(filterTerm(kind, String(step)))]
}

/** Whether a row matches the condition. */
export function matchesCondition(condition: SearchCondition): RawBuilder<boolean> {
  return matches(condition, (asked) => sql`${asked}::tsquery`)
}

/**
 * The same condition, hidden from the planner except that few rows match, so that it uses the index of terms. From its
 * statistics it takes terms that exclude each other, such as a network that hides views and a number of views, for common,
 * and reads the whole table.
 */
export function matchesConditionOfFew(condition: SearchCondition): RawBuilder<boolean> {
  return matches(condition, (asked) => sql`(select ${asked}::tsquery)`)
}

function matches(
  { words, terms, others }: SearchCondition,
  asTerms: (asked: string) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  const asked = [...words, ...terms].join(' & ')
  const clauses = [
    ...(asked === '' ? [] : [sql`s.terms @@ ${asTerms(asked)}`]),
    ...others.map((other) => sql`(${other})`),
  ]
  return clauses.length > 0 ? sql`${sql.join(clauses, sql` and `)}` : sql`true`
}

/** The part of an order above a certain key, and the term that all its rows have. */
export interface SortTier {
  floor: number
  /** A part of a `tsquery`. */
  term: string
}

/** Tiers of a number with steps, highest first. */
export function stepTiers(kind: string, steps: readonly number[]): SortTier[] {
  return steps.map((floor) => ({ floor, term: quotedSearchTerm(filterTerm(kind, String(floor))) })).reverse()
}

/** Ages in whole months that separate the tiers, ascending; beyond the last, recency counts for little. */
const recentMonths = [0, 1, 3, 6, 12, 24]

/** Tiers by age on a day, newest first; dates up to a month ahead belong to the first. */
export function ageTiers(asOf: Date): SortTier[] {
  const month = (back: number) => new Date(Date.UTC(asOf.getUTCFullYear(), asOf.getUTCMonth() - back, 1))
  return recentMonths.map((months) => {
    const within = Array.from({ length: months + 2 }, (_, at) =>
      month(at - 1)
        .toISOString()
        .slice(0, 7),
    )
    return { floor: month(months).getTime() / 1000, term: anyValueQuery('ym', within) }
  })
}

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
const leadingTerm = (word: string) => `^${word}`

/** A word of the advertiser's name, for the advertiser filter. */
export const advertiserTerm = (word: string) => `@${word}`

/** `pt-BR` matches as itself and as `pt`. */
export function languageTerms(tag: string | null | undefined): string[] {
  if (!tag) return []
  const parts = tag.split('-')
  return parts.map((_, at) => filterTerm('l', parts.slice(0, at + 1).join('-')))
}

/** Years outside are clamped to these, so that open ranges are short lists. */
const years = { first: 2000, last: 2040 }

function yearWithin(date: string): number {
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
export function epochSecondsOf(time: string | null | undefined): number | null {
  const seconds = time ? Date.parse(time) / 1000 : Number.NaN
  return Number.isFinite(seconds) ? seconds : null
}

/** A key column of one of the search tables. */
export type SortKeyColumn =
  | 'published'
  | 'views'
  | 'engagement'
  | 'outlier'
  | 'started'
  | 'days_running'
  | 'observed'

/** A sort order, descending, nulls last. Each has an index. */
export interface SortOrder<Column extends SortKeyColumn = SortKeyColumn> {
  /** The table of the key: `s` is the table of terms, `t` that of sort keys. */
  table: 's' | 't'
  column: Column
  /** A term of every row with a key, as a `tsquery` writes it. */
  measured?: string
}

/** The range of keys required by the filters, which bounds a scan. Both ends are included. */
export interface SortKeyRange {
  from?: number | undefined
  to?: number | undefined
}

/** Cursor: the last row of a page. */
export interface CursorPosition {
  /** The sort key as PostgreSQL formats a double; `-Infinity` is null. */
  key: string
  number: string
  /** For relevance: whether the row is among the unranked matches, which follow the ranked ones. */
  isUnranked?: boolean
}
