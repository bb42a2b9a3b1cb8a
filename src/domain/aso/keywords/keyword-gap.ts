import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { termIdsArray } from '../pages/rank-queries.ts'
import { hintsFailed, searchFailed } from '../pages/term-queries.ts'
import { opportunityWith } from '../scores/difficulty.ts'

type GapStanding = 'rival-only' | 'own-only' | 'both' | 'neither' | 'not-measured'
export type GapSort =
  | 'opportunity'
  | 'rival-ahead'
  | 'difficulty'
  | 'relevance'
  | 'own-rank'
  | 'rival-rank'
  | 'distance'
  | 'term'

/** A term with the places of both apps on its newest page. */
export interface GapKeyword extends GapRow {
  standing: GapStanding
  /** The app that ranks higher, or alone; null when neither ranks. */
  ahead: 'own' | 'rival' | null
  /** Places between the two; null unless both rank. */
  distance: number | null
}

export function gapKeyword(row: GapRow): GapKeyword {
  const { own, rival, searched } = row
  const standing =
    own !== null && rival !== null
      ? 'both'
      : own !== null
        ? 'own-only'
        : rival !== null
          ? 'rival-only'
          : searched
            ? 'neither'
            : 'not-measured'
  const [ownAt, rivalAt] = [own ?? Number.POSITIVE_INFINITY, rival ?? Number.POSITIVE_INFINITY]
  return {
    ...row,
    standing,
    ahead: ownAt === rivalAt ? null : ownAt < rivalAt ? 'own' : 'rival',
    distance: standing === 'both' ? Math.abs(ownAt - rivalAt) : null,
  }
}

/** Number of keywords of each `standing` of the contract. */
export function gapCounts(keywords: readonly GapKeyword[]) {
  const count = (wanted: GapStanding, ahead?: 'own' | 'rival') =>
    keywords.filter(
      (keyword) => keyword.standing === wanted && (ahead === undefined || keyword.ahead === ahead),
    ).length
  return {
    rivalOnly: count('rival-only'),
    ownOnly: count('own-only'),
    bothOwnAhead: count('both', 'own'),
    bothRivalAhead: count('both', 'rival'),
    neither: count('neither'),
    notMeasured: count('not-measured'),
  }
}

/** The position of a keyword in a sorted list. */
export interface GapListPosition {
  /** The sort key; null where it is not measured. */
  key: number | null
  term: string
}

/**
 * Sorts the keywords, those without a sort key last, equal ones by term.
 * @param relevance of a term to the app; null where it is not known
 */
export function sortGap(
  keywords: readonly GapKeyword[],
  sort: GapSort,
  relevance: (term: string) => number | null,
): (GapListPosition & { keyword: GapKeyword })[] {
  return keywords
    .map((keyword) => ({ keyword, term: keyword.term, key: keyOf(keyword, sort, relevance) }))
    .sort((one, other) => compareGap(one, other, sort))
}

function keyOf(keyword: GapKeyword, sort: GapSort, relevance: (term: string) => number | null): number | null {
  switch (sort) {
    case 'opportunity':
      return opportunityOfGap(keyword, relevance)
    case 'rival-ahead':
      return groupOf[keyword.ahead ?? 'neither'] + (opportunityOfGap(keyword, relevance) ?? -1)
    case 'difficulty':
      return keyword.difficulty
    case 'relevance':
      return relevance(keyword.term)
    case 'own-rank':
      return keyword.own
    case 'rival-rank':
      return keyword.rival
    case 'distance':
      return keyword.distance
    case 'term':
      return null
  }
}

function opportunityOfGap(
  { term, opportunity, opportunityFormula }: GapKeyword,
  relevance: (term: string) => number | null,
): number | null {
  if (opportunity === null) return null
  return opportunityWith({ opportunity, opportunityFormula }, relevance(term)).opportunity
}

/** Offsets for the order by who is ahead: within a group keywords are sorted by opportunity, which is at most 100. */
const groupOf = { rival: 2_000, own: 1_000, neither: 0 }

const highFirst = new Set<GapSort>(['opportunity', 'rival-ahead', 'relevance', 'distance'])

/** Negative when the first comes before the second. */
export function compareGap(one: GapListPosition, other: GapListPosition, sort: GapSort): number {
  if (one.key !== other.key) {
    if (one.key === null) return 1
    if (other.key === null) return -1
    return highFirst.has(sort) ? other.key - one.key : one.key - other.key
  }
  return one.term < other.term ? -1 : one.term === other.term ? 0 : 1
}

/** Whether any stored evidence, in any storefront, shows an app. */
export async function isKnownApp(db: Database, storeId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql<{ known: boolean }>`
      select exists (select 1 from app_records where store_id = ${bigintId(storeId)})
        or exists (select 1 from rank_months where store_id = ${bigintId(storeId)}) as known`,
  )
  return found?.known ?? false
}

/**
 * A term for which one of two apps ranks, or which the app has as a keyword, with the columns that are counted and sorted
 * by.
 */
interface GapRow {
  termId: number
  term: string
  /** Whether it has a page that counts. */
  searched: boolean
  /** Places on the newest one; null when not on it. */
  own: number | null
  rival: number | null
  difficulty: number | null
  opportunity: number | null
  opportunityFormula: string | null
}

/** In no order. */
export function gapRows(
  db: Database,
  appId: string,
  storeId: string,
  rivalStoreId: string,
  country: string,
): Promise<GapRow[]> {
  // Starts from the terms the two apps rank for, however many pages the storefront has. Newest pages lie in few months: only
  // ranks of these months are read, not the whole history.
  const monthsOf = (id: string) => sql`
    select term_id, month, ranks from rank_months
    where store_id = ${bigintId(id)} and country = ${country}
      and month = any(array(select month from page_months where country = ${country}))`
  const ranksOf = (months: string) => sql`
    select term_id, m.ranks[extract(day from s.page_day)::int] as rank
    from ${sql.raw(months)} m join pages s using (term_id)
    where date_trunc('month', s.page_day::timestamp)::date = m.month`
  return rows(
    db,
    sql<GapRow>`
      with own_months as materialized (${monthsOf(storeId)}),
      rival_months as materialized (${monthsOf(rivalStoreId)}),
      pages as materialized (
        select term_id, page_day from term_states
        where term_id = any(array(select term_id from own_months union select term_id from rival_months))
      ),
      own as (${ranksOf('own_months')}),
      rival as (${ranksOf('rival_months')}),
      ranked as materialized (
        select term_id, own.rank as own, rival.rank as rival
        from own full join rival using (term_id)
        where own.rank is not null or rival.rank is not null
      ),
      asked as materialized (
        select term_id, r.own, r.rival
        from (select term_id from tracked_keywords where app_id = ${appId}::uuid) k full join ranked r using (term_id)
      ),
      t as materialized (
        select term_id, term, page_at, difficulty, opportunity, opportunity_formula from terms where term_id = any(array(select term_id from asked))
      )
      select term_id as "termId", t.term, t.page_at is not null as searched, a.own, a.rival, t.difficulty, t.opportunity,
        t.opportunity_formula as "opportunityFormula"
      from asked a join t using (term_id)`,
  )
}

/** Details of a term besides its places. */
export interface GapDetail {
  termId: number
  /** Null when the app does not have the keyword. */
  keywordId: string | null
  /** The newest page that counts; null without one. */
  pageAt: Date | null
  searchFailed: boolean
  hintsFailed: boolean
  depth: number | null
  autocomplete: number | null
  difficultyFormula: string | null
}

/** In no order. */
export function gapDetails(db: Database, appId: string, termIds: readonly number[]): Promise<GapDetail[]> {
  return rows(
    db,
    sql<GapDetail>`
      with t as materialized (select * from terms where term_id = any(${termIdsArray(termIds)}))
      select term_id as "termId", k.keyword_id as "keywordId", t.page_at as "pageAt", t.page_depth as depth,
        ${searchFailed(sql`t`)} as "searchFailed", ${hintsFailed(sql`t`)} as "hintsFailed",
        t.autocomplete, t.difficulty_formula as "difficultyFormula"
      from t
      left join (select term_id, keyword_id from tracked_keywords where app_id = ${appId}::uuid) k using (term_id)`,
  )
}

/** The time range of the newest pages of a storefront's terms, and their number. */
export async function newestPagesRange(
  db: Database,
  country: string,
): Promise<{ looked: number; oldestAt: Date | null; newestAt: Date | null }> {
  const found = await firstRow(
    db,
    sql<{ looked: number; oldestAt: Date | null; newestAt: Date | null }>`
      select coalesce((select sum(terms) from page_months where country = ${country}), 0)::int as looked,
        (select min(captured_at) from newest_pages where country = ${country}) as "oldestAt",
        (select max(captured_at) from newest_pages where country = ${country}) as "newestAt"`,
  )
  return found ?? { looked: 0, oldestAt: null, newestAt: null }
}

/** The text of a term of a storefront. */
export async function termById(db: Database, country: string, termId: string): Promise<string | undefined> {
  const found = await firstRow(
    db,
    sql<{ term: string }>`select term from terms where term_id = ${termId}::int and country = ${country}`,
  )
  return found?.term
}
