import { type RawBuilder, sql } from 'kysely'
import { textQuery } from '../../catalogue/search-plan.ts'
import { advertiserTerm, filterTerm, leadingTerm, years, yearWithin } from './terms.ts'

/** What a search asks of every post or ad. In SQL, `s` is its row of terms and `t` its row of sort keys. */
export interface Condition {
  /** Parts of a `tsquery` that ask for the words of a text; all must hold. */
  words: string[]
  /** Parts of a `tsquery` for filters; all must hold. */
  terms: string[]
  /** As `terms`, following from `others`: they narrow what the index of terms gives, and need not be looked at otherwise. */
  hints: string[]
  /** What terms cannot say. */
  others: RawBuilder<unknown>[]
  /** Whether `others` look at `t`. */
  onSortKeys: boolean
}

/** A term as a `tsquery` writes it. */
export function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Any of these values of a filter. */
export function anyOf(kind: string, values: readonly string[]): string {
  return `(${values.map((value) => quoted(filterTerm(kind, value))).join(' | ')})`
}

/** All words of a text, the last may be a prefix of three letters or more; undefined when it holds none. */
export function wordsOf(text: string): string | undefined {
  const query = textQuery(text)
  const last = query?.tokens.at(-1)
  // Half of everything has a word that begins with any one or two letters.
  const isShort = last?.kind === 'word' && [...last.text].length < shortestPrefix
  return isShort ? query?.terms.replace(/:\*$/, '') : query?.terms
}

const shortestPrefix = 3

/** As `wordsOf`, among the words that say most. */
export function leadingWordsOf(text: string): string | undefined {
  return marked(text, leadingTerm)
}

/** All words of an advertiser's name. */
export function advertiserWordsOf(text: string): string | undefined {
  return marked(text, advertiserTerm)
}

/** Terms of a text query hold letters and digits only, so a quote that begins one is followed by its first letter. */
function marked(text: string, mark: (word: string) => string): string | undefined {
  return wordsOf(text)?.replace(/'([^']+)'/g, (_, word: string) => `'${mark(word)}'`)
}

/** The years and months that a span of days lies in, both ends included, as one part of a `tsquery`. */
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

/** The highest step that a number of at least so many has reached, as parts of a `tsquery`. */
export function stepHint(kind: string, atLeast: number, steps: readonly number[]): string[] {
  const step = steps.findLast((step) => step <= atLeast)
  return step === undefined ? [] : [quoted(filterTerm(kind, String(step)))]
}

/** Whether a row meets the condition. */
export function holds({ words, terms, others }: Condition): RawBuilder<boolean> {
  const asked = [...words, ...terms].join(' & ')
  const clauses = [
    ...(asked === '' ? [] : [sql`s.terms @@ ${asked}::tsquery`]),
    ...others.map((other) => sql`(${other})`),
  ]
  return clauses.length > 0 ? sql`${sql.join(clauses, sql` and `)}` : sql`true`
}

/** The part of an order that is at least so high, and the term that everything in it has. */
export interface Tier {
  floor: number
  /** A part of a `tsquery`. */
  term: string
}

/** Steps that a number has reached, highest first. */
export function stepTiers(kind: string, steps: readonly number[]): Tier[] {
  return steps.map((floor) => ({ floor, term: quoted(filterTerm(kind, String(floor))) })).reverse()
}

/** Whole months before this one in which something is new, fewest first; beyond them, age counts for little. */
const recentMonths = [0, 1, 3, 6, 12, 24]

/** What is not older than so many months on a day, newest first; what is dated a month ahead belongs to it. */
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
