import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { searchFailed } from '../pages/term-scores.ts'

/** A keyword of one of several tracked apps. */
export interface SummedKeyword {
  appId: string
  termId: number
  autocomplete: number | null
  pageAt: Date | null
  pageDay: string | null
  searchFailed: boolean
}

const idsIn = (appIds: readonly string[]) => sql`${`{${appIds.join(',')}}`}::uuid[]`

/** The keywords of these apps, unordered. */
export function keywordsOfApps(db: Database, appIds: readonly string[]): Promise<SummedKeyword[]> {
  return rows(
    db,
    sql<SummedKeyword>`
      with k as materialized (select app_id, term_id from tracked_keywords where app_id = any(${idsIn(appIds)})),
      t as materialized (select * from terms where term_id in (select term_id from k))
      select k.app_id as "appId", t.term_id as "termId", t.autocomplete, t.page_at as "pageAt",
        t.page_day::text as "pageDay", ${searchFailed(sql`t`)} as "searchFailed"
      from k join t using (term_id)`,
  )
}

/** A month of ranks of one app for one term, or of depths. */
export interface SummedMonth {
  termId: number
  month: string
  /** A number for each day of the month, separated by commas; empty for days without one. */
  days: string
}

/**
 * Condition for the months of the newest page of a term and of the given number of days before it, which is less than a
 * month.
 */
const monthsUpTo = (days: number) => sql`
  cross join lateral (
    select distinct date_trunc('month', day)::date as month from (values (t.page_day), (t.page_day - ${days}::int)) d(day)
  ) asked`

/**
 * Ranks of these apps for their keywords, around the newest page of each. The rows to read are listed first: otherwise the
 * planner would read all ranks of an app.
 */
export function ranksOfApps(
  db: Database,
  appIds: readonly string[],
  days: number,
): Promise<(SummedMonth & { appId: string })[]> {
  return rows(
    db,
    sql<SummedMonth & { appId: string }>`
      with k as materialized (
        select a.app_id, a.store_id, a.country, k.term_id from tracked_apps a join tracked_keywords k using (app_id)
        where a.app_id = any(${idsIn(appIds)})
      ),
      t as materialized (select term_id, page_day from term_states where term_id in (select term_id from k)),
      wanted as materialized (
        select k.app_id, k.store_id, k.country, asked.month, t.term_id
        from k join t using (term_id) ${monthsUpTo(days)}
      )
      select w.app_id as "appId", m.term_id as "termId", m.month::text as month,
        array_to_string(m.ranks, ',', '') as days
      from wanted w join rank_months m using (store_id, country, month, term_id)`,
  )
}

/** Depths of the pages of these apps' keywords, around the newest page of each. */
export function depthsOfApps(db: Database, appIds: readonly string[], days: number): Promise<SummedMonth[]> {
  return rows(
    db,
    sql<SummedMonth>`
      with t as materialized (
        select term_id, page_day from term_states
        where term_id in (select term_id from tracked_keywords where app_id = any(${idsIn(appIds)}))
      ),
      wanted as materialized (select t.term_id, asked.month from t ${monthsUpTo(days)})
      select m.term_id as "termId", m.month::text as month, array_to_string(m.depths, ',', '') as days
      from wanted w join depth_months m using (term_id, month)`,
  )
}
