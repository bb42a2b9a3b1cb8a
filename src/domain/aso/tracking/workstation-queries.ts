import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { type DayMap, dayNumber, dayOfNumber, rankChangeWindows } from '../pages/rank-days.ts'
import {
  depthsByTermAndDay,
  type RankHistory,
  rankHistories,
  ranksByTermAndDay,
} from '../pages/rank-queries.ts'
import { type StoredScores, storedScores } from '../pages/term-queries.ts'

/** Places of a newest page that are read for the apps above: enough for five, with some unreadable entries. */
const placesRead = 10

/** A keyword of a tracked app with the stored data of its term. */
export interface KeywordFacts extends StoredScores {
  keywordId: string
  termId: number
  term: string
  addedAt: Date
  tags: string[]
  note: string | null
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
      select k.keyword_id as "keywordId", t.term_id as "termId", t.term, k.added_at as "addedAt", k.tags, k.note,
        t.page_day::text as "pageDay", t.page_depth as "pageDepth", t.pages, t.deepest, ${storedScores(sql`t`)},
        array_to_string(p.store_ids[1:${sql.lit(placesRead)}], ',', '') as top
      from k
      join t using (term_id)
      left join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at`,
  )
}

/** Daily ranks of an app for one term, and daily depths of its pages; undefined where there are none. */
export interface KeywordHistory {
  ranks: DayMap | undefined
  depths: DayMap | undefined
  /** Over all stored pages, with the first day of the best rank; undefined for an app that never ranked. */
  best: RankHistory['best'] | undefined
}

interface Term {
  termId: number
  /** Day of its newest page; null without one. */
  pageDay: string | null
}

/** Days before a page over which its changes are reported. */
const lookBack = rankChangeWindows.over30Days.most
const daysBefore = (day: string) => dayOfNumber(dayNumber(day) - lookBack)

/**
 * The history of an app for some terms: over a window and the days before it that its changes need; for terms whose newest
 * page is older, over the days that the changes of that page need.
 */
export async function keywordHistories(
  db: Database,
  app: { storeId: string; country: string },
  terms: readonly Term[],
  { from, to }: { from: string; to: string },
): Promise<(term: Term) => KeywordHistory> {
  const { storeId, country } = app
  const termIds = terms.map(({ termId }) => termId)
  const isOld = ({ pageDay }: Term) => pageDay !== null && pageDay < from
  const [histories, depths, old] = await Promise.all([
    rankHistories(db, storeId, country, termIds, daysBefore(from), to),
    depthsByTermAndDay(db, termIds, daysBefore(from), to),
    oldDays(db, app, terms.filter(isOld)),
  ])
  return (term) => {
    const { termId } = term
    const history = histories.get(termId)
    const days = isOld(term)
      ? { ranks: old.ranks.get(termId), depths: old.depths.get(termId) }
      : { ranks: history?.days, depths: depths.get(termId) }
    return { ...days, best: history?.best }
  }
}

/** Ranks and depths around the newest pages of terms without recent searches. */
async function oldDays(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  terms: readonly Term[],
): Promise<{ ranks: Map<number, DayMap>; depths: Map<number, DayMap> }> {
  const pageDays = terms.flatMap(({ pageDay }) => pageDay ?? []).sort()
  const [first, last] = [pageDays[0], pageDays.at(-1)]
  if (first === undefined || last === undefined) return { ranks: new Map(), depths: new Map() }
  const termIds = terms.map(({ termId }) => termId)
  const [ranks, depths] = await Promise.all([
    ranksByTermAndDay(db, storeId, country, termIds, daysBefore(first), last),
    depthsByTermAndDay(db, termIds, daysBefore(first), last),
  ])
  return { ranks, depths }
}
