import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { newestRanksOf, termIdsArray } from '../pages/rank-queries.ts'

/** A keyword of a tracked app, with the app's rank on the newest page of the term. */
export interface TrackedKeyword {
  keywordId: string
  termId: number
  term: string
  addedAt: Date
  /** When the newest page that counts was captured; null without one. */
  pageAt: Date | null
  pageDepth: number | null
  /** Null when the app is not on that page, or there is none. */
  rank: number | null
}

/** The keywords of an app among some terms, unordered. */
export function keywordsAmong(
  db: Database,
  appId: string,
  { storeId, country }: { storeId: string; country: string },
  termIds: readonly number[],
): Promise<TrackedKeyword[]> {
  return rows(
    db,
    sql<TrackedKeyword>`
      with k as materialized (
        select * from tracked_keywords where app_id = ${appId} and term_id = any(${termIdsArray(termIds)})
      ),
      t as materialized (select * from terms where term_id in (select term_id from k)),
      ${newestRanksOf(storeId, country, sql`t`)}
      select k.keyword_id as "keywordId", t.term_id as "termId", t.term, k.added_at as "addedAt",
        t.page_at as "pageAt", t.page_depth as "pageDepth", m.rank
      from k join t using (term_id) left join newest_ranks m using (term_id)`,
  )
}

/** The terms an app has as keywords. */
export async function keywordTerms(db: Database, appId: string): Promise<Map<string, number>> {
  const found = await rows(
    db,
    sql<{ term: string; termId: number }>`
      select t.term, t.term_id as "termId" from term_names t
      where term_id in (select term_id from tracked_keywords where app_id = ${appId})`,
  )
  return new Map(found.map(({ term, termId }) => [term, termId]))
}

export async function insertKeywords(
  db: Database,
  appId: string,
  keywords: readonly { keywordId: string; termId: number }[],
): Promise<void> {
  await sql`
    insert into tracked_keywords (keyword_id, app_id, term_id)
    select "keywordId", ${appId}, "termId"
    from json_to_recordset(${JSON.stringify(keywords)}::json) as sent("keywordId" uuid, "termId" integer)`.execute(
    db,
  )
}

/** Deletes a keyword and remembers its id. @returns whether the app had it */
export async function deleteKeyword(db: Database, appId: string, keywordId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      with gone as (
        delete from tracked_keywords where keyword_id = ${keywordId} and app_id = ${appId} returning keyword_id, app_id
      )
      insert into removed_keywords (keyword_id, app_id) select keyword_id, app_id from gone returning keyword_id`,
  )
  return found !== undefined
}

/** Whether an app once had a keyword that was removed, alone or with the app. */
export async function hadKeyword(db: Database, appId: string, keywordId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from removed_keywords where keyword_id = ${keywordId} and app_id = ${appId}`,
  )
  return found !== undefined
}
