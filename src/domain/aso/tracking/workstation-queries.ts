import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { type StoredScores, storedScores } from '../pages/term-scores.ts'

/** Places of a newest page that are read for the apps above: enough for five, with some unreadable entries. */
const placesRead = 10

/** A keyword of a tracked app with the stored data of its term. */
export interface KeywordFacts extends StoredScores {
  keywordId: string
  termId: number
  term: string
  addedAt: Date
  /** Day and depth of the newest page that counts; null without one. */
  pageDay: string | null
  pageDepth: number | null
  /** Number of pages that count, and the depth of the deepest. */
  pages: number
  deepest: number | null
  /** The first apps of the newest page, separated by commas; empty where an entry could not be read. */
  top: string | null
}

/** Every keyword of a tracked app, unordered. */
export function keywordFacts(db: Database, appId: string): Promise<KeywordFacts[]> {
  return rows(
    db,
    sql<KeywordFacts>`
      with k as materialized (select * from tracked_keywords where app_id = ${appId}),
      t as materialized (select * from terms where term_id in (select term_id from k))
      select k.keyword_id as "keywordId", t.term_id as "termId", t.term, k.added_at as "addedAt",
        t.page_day::text as "pageDay", t.page_depth as "pageDepth", t.pages, t.deepest, ${storedScores(sql`t`)},
        array_to_string(p.store_ids[1:${sql.lit(placesRead)}], ',', '') as top
      from k
      join t using (term_id)
      left join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at`,
  )
}
