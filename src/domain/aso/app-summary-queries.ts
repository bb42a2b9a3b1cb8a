import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** A keyword of one of several tracked apps. */
export interface SummedKeyword {
  appId: string
  termId: number
  autocomplete: number | null
  pageAt: Date | null
  pageDay: string | null
}

const idsIn = (appIds: readonly string[]) => sql`${`{${appIds.join(',')}}`}::uuid[]`

/** The keywords of these apps, in no order. */
export function keywordsOfApps(db: Database, appIds: readonly string[]): Promise<SummedKeyword[]> {
  return rows(
    db,
    sql<SummedKeyword>`
      select k.app_id as "appId", t.term_id as "termId", t.autocomplete, t.page_at as "pageAt",
        t.page_day::text as "pageDay"
      from tracked_keywords k join terms t using (term_id)
      where k.app_id = any(${idsIn(appIds)})`,
  )
}

/** A month of ranks of one app for one term, or of depths. */
export interface SummedMonth {
  termId: number
  month: string
  /** A number for each day of the month, separated by commas; empty for days without one. */
  days: string
}

/** Months in which the newest page of a term lies, and the pages up to some days older. */
const monthsBefore = (days: number) => sql`
  m.month between date_trunc('month', t.page_day - ${days}::int)::date and t.page_day`

/** Ranks of these apps for their keywords, around the newest page of each. */
export function ranksOfApps(
  db: Database,
  appIds: readonly string[],
  days: number,
): Promise<(SummedMonth & { appId: string })[]> {
  return rows(
    db,
    sql<SummedMonth & { appId: string }>`
      select a.app_id as "appId", m.term_id as "termId", m.month::text as month,
        array_to_string(m.ranks, ',', '') as days
      from tracked_apps a
      join tracked_keywords k using (app_id)
      join terms t using (term_id)
      join rank_months m on m.store_id = a.store_id and m.country = a.country and m.term_id = t.term_id
        and ${monthsBefore(days)}
      where a.app_id = any(${idsIn(appIds)})`,
  )
}

/** How deep the pages of the keywords of these apps are, around the newest page of each. */
export function depthsOfApps(db: Database, appIds: readonly string[], days: number): Promise<SummedMonth[]> {
  return rows(
    db,
    sql<SummedMonth>`
      select m.term_id as "termId", m.month::text as month, array_to_string(m.depths, ',', '') as days
      from terms t join depth_months m on m.term_id = t.term_id and ${monthsBefore(days)}
      where t.term_id in (select term_id from tracked_keywords where app_id = any(${idsIn(appIds)}))`,
  )
}
