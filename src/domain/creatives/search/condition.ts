import { type RawBuilder, sql } from 'kysely'
import { textQuery } from '../../catalogue/search-plan.ts'
import { advertiserTerm, filterTerm, leadingTerm, years, yearWithin } from './terms.ts'

/** The condition of a search on posts or ads. In SQL, `s` is the row of terms and `t` the row of sort keys. */
export interface Condition {
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
export function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Any of these values of a filter. */
export function anyOf(kind: string, values: readonly string[]): string {
  return `(${values.map((value) => quoted(filterTerm(kind, value))).join(' | ')})`
}

/** All words of a text, the last of which may be a prefix of three letters or more; undefined when it has none. */
export function wordsOf(text: string): string | undefined {
  const query = textQuery(text)
  const last = query?.tokens.at(-1)
  // One or two letters are too short for a prefix: about half of all rows match.
  const isShort = last?.kind === 'word' && [...last.text].length < shortestPrefix
  return isShort ? query?.terms.replace(/:\*$/, '') : query?.terms
}

const shortestPrefix = 3

/** As `wordsOf`, among the leading texts. */
export function leadingWordsOf(text: string): string | undefined {
  return marked(text, leadingTerm)
}

/** All words of an advertiser's name. */
export function advertiserWordsOf(text: string): string | undefined {
  return marked(text, advertiserTerm)
}

/** Tokens consist of letters and digits, so an opening quote is always followed by the first letter of a token. */
function marked(text: string, mark: (word: string) => string): string | undefined {
  return wordsOf(text)?.replace(/'([^']+)'/g, (_, word: string) => `'${mark(word)}'`)
}

/** The years and months that a range of days touches, both ends included, as one part of a `tsquery`. */
export function spanHint(from: string | undefined, to: string | undefined): string[] {
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
  return [terms.length === 0 ? quoted('#none') : `(${terms.map(quoted).join(' | ')})`]
}

/** The highest step at or below a lower bound, as parts of a `tsquery`. */
export function stepHint(kind: string, atLeast: number, steps: readonly number[]): string[] {
  const step = steps.findLast((step) => step <= atLeast)
  return step === undefined ? [] : [quoted(filterTerm(kind, String(step)))]
}

/** Whether a row matches the condition. */
export function holds(condition: Condition): RawBuilder<boolean> {
  return matches(condition, (asked) => sql`${asked}::tsquery`)
}

/**
 * The same condition, hidden from the planner except that few rows match, so that it uses the index of terms. From its
 * statistics it takes terms that exclude each other, such as a network that hides views and a number of views, for common,
 * and reads the whole table.
 */
export function holdsForFew(condition: Condition): RawBuilder<boolean> {
  return matches(condition, (asked) => sql`(select ${asked}::tsquery)`)
}

function matches(
  { words, terms, others }: Condition,
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
export interface Tier {
  floor: number
  /** A part of a `tsquery`. */
  term: string
}

/** Tiers of a number with steps, highest first. */
export function stepTiers(kind: string, steps: readonly number[]): Tier[] {
  return steps.map((floor) => ({ floor, term: quoted(filterTerm(kind, String(floor))) })).reverse()
}

/** Ages in whole months that separate the tiers, ascending; beyond the last, recency counts for little. */
const recentMonths = [0, 1, 3, 6, 12, 24]

/** Tiers by age on a day, newest first; dates up to a month ahead belong to the first. */
export function ageTiers(asOf: Date): Tier[] {
  const month = (back: number) => new Date(Date.UTC(asOf.getUTCFullYear(), asOf.getUTCMonth() - back, 1))
  return recentMonths.map((months) => {
    const within = Array.from({ length: months + 2 }, (_, at) =>
      month(at - 1)
        .toISOString()
        .slice(0, 7),
    )
    return { floor: month(months).getTime() / 1000, term: anyOf('ym', within) }
  })
}
