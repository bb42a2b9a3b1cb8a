import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { mainSurface } from '../../../vocabulary/search-surfaces.ts'
import { namedReadingColumns } from '../../evidence/queries.ts'
import type { NamedReading, ObservedReading } from '../../evidence/reading.ts'
import { bestRankAndDayNumber, bestRankAndDayOf, newestRanksOf, termIdsArray } from '../pages/rank-queries.ts'
import { type StoredScores, storedScores } from '../pages/term-queries.ts'

/** A stored term, with the ranks of an app for it. */
export interface RankedTerm extends StoredScores {
  termId: number
  term: string
  tracked: boolean
  /** The best rank over all stored pages, with the first day it was reached; null when none showed the app. */
  best: { value: number; on: string } | null
  /** On the newest page; null when it is not on it or there is none. */
  rank: number | null
  pageDay: string | null
  pageDepth: number | null
  /** Pages that count, and the depth of the deepest. */
  pages: number
  deepest: number | null
}

/**
 * Terms of a storefront that matter to an app, unordered: those whose pages ever showed it, those the account tracks for it,
 * and the given ones that have a page. An app with 5,000 terms has 60,000 months a year: joining all of them with the terms
 * took twice as long as reading the newest ones a second time.
 */
export async function rankedTerms(
  db: Database,
  accountId: string,
  storeId: string,
  country: string,
  given: readonly string[],
): Promise<RankedTerm[]> {
  const id = bigintId(storeId)
  const found = await rows(
    db,
    sql<Omit<RankedTerm, 'best'> & { best: number | null }>`
      with shown as materialized (
        select term_id, min(${bestRankAndDayNumber}) as best from rank_months
        where store_id = ${id} and country = ${country}
        group by term_id
      ), tracked as materialized (
        select k.term_id from tracked_apps a join tracked_keywords k using (app_id)
        where a.account_id = ${accountId} and a.store_id = ${id} and a.country = ${country}
      ), given as materialized (
        select term_id from terms
        where country = ${country} and page_at is not null and term in (select json_array_elements_text(${JSON.stringify(given)}::json))
      ), t as materialized (
        select * from terms where term_id in (
          select term_id from shown union select term_id from tracked union select term_id from given)
      ), ${newestRanksOf(storeId, country, sql`t`)}
      select t.term_id as "termId", t.term, k.term_id is not null as tracked, m.rank, s.best,
        t.page_day::text as "pageDay", t.page_depth as "pageDepth", t.pages, t.deepest, ${storedScores(sql`t`)}
      from t
      left join shown s using (term_id)
      left join tracked k using (term_id)
      left join newest_ranks m using (term_id)`,
  )
  return found.map((term) => ({ ...term, best: term.best === null ? null : bestRankAndDayOf(term.best) }))
}

/**
 * The first day of the range that holds the newest `days` days with a page of each of these terms; undefined without pages.
 */
export async function firstOfNewestPageDays(
  db: Database,
  termIds: readonly number[],
  days: number,
): Promise<string | undefined> {
  const [found] = await rows(
    db,
    sql<{ month: string | null }>`
      select min(month)::text as month from (
        select month, sum(held) over (partition by term_id order by month desc) - held as newer
        from depth_months, lateral (select cardinality(array_remove(depths, null)) as held) counted
        where term_id = any(${termIdsArray(termIds)})
      ) months where newer < ${days}`,
  )
  return found?.month ?? undefined
}

/** The stored reading of a term's newest page. */
export interface PageReading extends NamedReading {
  termId: number
}

export function readingsOfNewestPages(db: Database, termIds: readonly number[]): Promise<PageReading[]> {
  return rows(
    db,
    sql<PageReading>`
      with p as materialized (
        select p.term_id, p.reading_id
        from term_states t join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at
        where t.term_id = any(${termIdsArray(termIds)})
      )
      select p.term_id as "termId", ${namedReadingColumns(sql`r`)}
      from p join readings r using (reading_id)`,
  )
}

/**
 * Number of terms of a storefront for which an app ranks on the newest page; null while no page of the storefront is stored.
 */
export const rankingTermCount = (storeId: string, country: string) => sql<number | null>`
  (with of_app as materialized (
    select term_id, month, ranks from rank_months where store_id = ${bigintId(storeId)} and country = ${country}
  ), ranking as materialized (
    select count(*)::int as terms
    from of_app m join terms t on t.term_id = m.term_id and m.month = date_trunc('month', t.page_day::timestamp)::date
    where m.ranks[extract(day from t.page_day)::int] is not null
  )
  select case when exists (select 1 from terms where country = ${country} and page_at is not null) then ranking.terms end
  from ranking)`

/** The newest page of a term that showed the app, in its newest month of ranks: one row, or none when no page ever did. */
export function newestPageShowing(storeId: string, country: string) {
  const ofApp = sql`m.store_id = ${bigintId(storeId)} and m.country = ${country}`
  return sql<ObservedReading>`
    with of_app as materialized (
      select m.term_id from rank_months m where ${ofApp} and m.month = (
        select m.month from rank_months m join term_names n using (term_id)
        where ${ofApp} and n.surface = ${mainSurface} order by m.month desc limit 1)
    ), t as materialized (
      select t.term_id, t.page_at from terms t
      where t.term_id in (select term_id from of_app) and t.page_at is not null
      order by t.page_at desc, t.term limit 1
    ), p as materialized (
      select t.page_at, p.reading_id from t join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at
    )
    select p.page_at as "observedAt", ${namedReadingColumns(sql`r`)}
    from p join readings r using (reading_id)`
}
