import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import {
  type DayMap,
  dayNumber,
  dayOfNumber,
  type RankChange,
  type RankState,
  rankChangeOver,
  rankChangeWindows,
  rankOnPage,
  withSearchFailure,
} from '../pages/rank-days.ts'
import { depthsByTermAndDay, ranksByTermAndDay } from '../pages/rank-queries.ts'
import type { RankedKeyword } from '../pages/rank-summary.ts'
import { noScores, type StoredScores } from '../pages/term-queries.ts'
import { type PageReading, rankedTerms, readingsOfNewestPages } from './competitor-keyword-queries.ts'

/** An app in a storefront. */
export interface MatrixSubject {
  storeId: string
  country: string
}

export interface MatrixCell {
  /** On the newest page of the term in the storefront of the subject. */
  rank: RankState
  over30Days: RankChange
}

export interface MatrixRow {
  term: string
  /** In the order of the subjects. */
  cells: MatrixCell[]
  /** The newest page of each storefront that has one. */
  pages: { country: string; pageAt: Date; reading: PageReading }[]
}

export interface KeywordMatrix {
  /** Terms for which a stored page of a storefront ever showed a subject in it, and those that the account tracks for one. */
  total: number
  /** Terms for which most subjects rank first, then by the best rank, then by term; at most `shownTerms`. */
  rows: MatrixRow[]
  /** All terms with the rank of each subject, in the order of the subjects: those of one storefront have the same terms. */
  ranked: RankedKeyword[][]
}

const shownTerms = 300

/** A term with its newest page in one storefront. */
type TermState = StoredScores & { termId: number; pageDay: string | null; pageDepth: number | null }

/**
 * Ranks of several apps for the same terms. A term whose page is stored shows each app at a place or absent among its depth; one without a
 * page in a storefront is not measured there. Every subject costs two statements, and every storefront one.
 */
export async function keywordMatrix(
  db: Database,
  accountId: string,
  subjects: readonly MatrixSubject[],
): Promise<KeywordMatrix> {
  const found = await Promise.all(
    subjects.map(async ({ storeId, country }) => ({
      country,
      terms: new Map(
        (await rankedTerms(db, accountId, storeId, country, [])).map((state) => [state.term, state]),
      ),
    })),
  )
  const terms = [...new Set(found.flatMap((one) => [...one.terms.keys()]))]
  const countries = [...new Set(subjects.map(({ country }) => country))]
  const states = new Map<string, Map<string, TermState>>(countries.map((country) => [country, new Map()]))
  // Within one storefront, whoever has a term tells of its page for all.
  for (const one of found) for (const [term, state] of one.terms) states.get(one.country)?.set(term, state)
  if (countries.length > 1)
    for (const { country, term, ...state } of await pagesOfTerms(db, countries, terms))
      if (!states.get(country)?.has(term)) states.get(country)?.set(term, state)
  const stateOf = (country: string, term: string): TermState => states.get(country)?.get(term) ?? unknown
  const placeOf = (at: number, term: string) => found[at]?.terms.get(term)?.rank ?? null
  const rankOf = (at: number, term: string): RankState => {
    const state = stateOf(subjects[at]?.country ?? '', term)
    return withSearchFailure(rankOnPage(placeOf(at, term), state.pageDepth), state)
  }
  const ordered = terms
    .map((term) => ({ term, places: subjects.flatMap((_, at) => placeOf(at, term) ?? []).toSorted(upwards) }))
    .toSorted(
      (one, other) =>
        other.places.length - one.places.length ||
        (one.places[0] ?? 0) - (other.places[0] ?? 0) ||
        (one.term < other.term ? -1 : 1),
    )
    .slice(0, shownTerms)
    .map(({ term }) => term)
  const changeOf = await changes(db, subjects, ordered, stateOf)
  const paged = ordered.flatMap((term) => countries.map((country) => stateOf(country, term)))
  const readings = await readingsOfNewestPages(
    db,
    paged.flatMap(({ termId, pageAt }) => (pageAt ? [termId] : [])),
  )
  const readingOf = new Map(readings.map((reading) => [reading.termId, reading]))
  return {
    total: terms.length,
    rows: ordered.map((term) => ({
      term,
      cells: subjects.map((_, at) => ({ rank: rankOf(at, term), over30Days: changeOf(at, term) })),
      pages: countries.flatMap((country) => {
        const { termId, pageAt } = stateOf(country, term)
        const reading = readingOf.get(termId)
        return pageAt && reading ? [{ country, pageAt, reading }] : []
      }),
    })),
    ranked: subjects.map(({ country }, at) =>
      terms.map((term) => ({ ...stateOf(country, term), term, rank: rankOf(at, term) })),
    ),
  }
}

const upwards = (one: number, other: number) => one - other

const unknown: TermState = { ...noScores, termId: 0, pageDay: null, pageDepth: null }

/** The states of terms that have a page, whoever searched them; in no order. */
function pagesOfTerms(
  db: Database,
  countries: readonly string[],
  terms: readonly string[],
): Promise<(TermState & { country: string; term: string })[]> {
  return rows(
    db,
    sql<TermState & { country: string; term: string }>`
      select term_id as "termId", country, term, page_day::text as "pageDay", page_depth as "pageDepth", page_at as "pageAt",
        false as "searchFailed", false as "hintsFailed", difficulty, difficulty_formula as "difficultyFormula",
        autocomplete, autocomplete_formula as "autocompleteFormula", opportunity, opportunity_formula as "opportunityFormula"
      from terms
      where country in (select json_array_elements_text(${JSON.stringify(countries)}::json)) and page_at is not null
        and term in (select json_array_elements_text(${JSON.stringify(terms)}::json))`,
  )
}

/** The change of a subject for a term over 30 days. */
async function changes(
  db: Database,
  subjects: readonly MatrixSubject[],
  terms: readonly string[],
  stateOf: (country: string, term: string) => TermState,
): Promise<(at: number, term: string) => RankChange> {
  const window = rankChangeWindows.over30Days
  const rangeOf = (country: string) => {
    const paged = terms.map((term) => stateOf(country, term)).filter(({ pageDay }) => pageDay !== null)
    const days = paged.flatMap(({ pageDay }) => pageDay ?? []).toSorted()
    const [first, last] = [days[0], days.at(-1)]
    return first && last
      ? { ids: paged.map(({ termId }) => termId), from: dayOfNumber(dayNumber(first) - window.most), to: last }
      : undefined
  }
  const ranges = new Map(subjects.map(({ country }) => [country, rangeOf(country)]))
  const none = new Map<number, DayMap>()
  const depths = new Map<string, Map<number, DayMap>>()
  for (const [country, range] of ranges)
    depths.set(country, range ? await depthsByTermAndDay(db, range.ids, range.from, range.to) : none)
  const ranks = await Promise.all(
    subjects.map(({ storeId, country }) => {
      const range = ranges.get(country)
      return range ? ranksByTermAndDay(db, storeId, country, range.ids, range.from, range.to) : none
    }),
  )
  return (at, term) => {
    const country = subjects[at]?.country ?? ''
    const { termId, pageDay, searchFailed } = stateOf(country, term)
    const day = pageDay === null ? undefined : dayNumber(pageDay)
    const change = rankChangeOver(ranks[at]?.get(termId), depths.get(country)?.get(termId), day, window)
    return withSearchFailure(change, { searchFailed })
  }
}
