import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import {
  DayMap,
  dayNumber,
  type RankChange,
  rankChangeOver,
  rankChangeWindow,
  rankChangeWindows,
  rankOnDay,
} from '../pages/rank-days.ts'
import { type RankedKeyword, type RankMovement, rankMovementOf } from '../pages/rank-summary.ts'

/** Summary of a tracked app over its keywords, with movements over seven days. */
interface AppSummary {
  rankedKeywords: SummedRank[]
  over7Days: RankMovement
}

/** A keyword with its rank, and its change over the asked number of days. */
interface SummedRank extends RankedKeyword {
  term: string
  change: RankChange
  /** Its last search, where that failed. */
  failure: { at: Date; message: string } | null
}

/**
 * Summaries of tracked apps in three statements, whatever their number. Apps without keywords are left out.
 * @param days of the change of each keyword
 */
export async function trackedAppSummaries(
  db: Database,
  appIds: readonly string[],
  days: number,
): Promise<Map<string, AppSummary>> {
  const lookBack = Math.max(rankChangeWindows.over7Days.most, rankChangeWindow(days).most)
  if (appIds.length === 0) return new Map()
  const keywords = await keywordsOfApps(db, appIds)
  const [ranks, depths] = await Promise.all([
    ranksOfApps(db, appIds, lookBack),
    depthsOfApps(db, appIds, lookBack),
  ])
  const ranksOf = Map.groupBy(ranks, ({ appId, termId }) => `${appId} ${termId}`)
  const depthsOf = Map.groupBy(depths, ({ termId }) => termId)
  const summaries = new Map<string, { rankedKeywords: SummedRank[]; over7Days: RankChange[] }>()
  for (const keyword of keywords) {
    const { appId, termId, term, pageDay, pageAt, autocomplete, failedAt, failure: message } = keyword
    const failure = failedAt && (!pageAt || failedAt > pageAt) ? { at: failedAt, message: message ?? '' } : null
    const known = summaries.get(appId) ?? { rankedKeywords: [], over7Days: [] }
    summaries.set(appId, known)
    if (pageDay === null) {
      const reason = failure ? 'source-failed' : 'never-collected'
      const unknown = { state: 'not-measured', reason } as const
      known.rankedKeywords.push({ term, rank: unknown, change: unknown, pageAt, autocomplete, failure })
      known.over7Days.push(unknown)
      continue
    }
    const newest = dayNumber(pageDay)
    const ranks = daysOf(ranksOf.get(`${appId} ${termId}`), newest - lookBack, newest)
    const depths = daysOf(depthsOf.get(termId), newest - lookBack, newest)
    const rank = rankOnDay(ranks, depths, newest)
    const change = rankChangeOver(ranks, depths, newest, rankChangeWindow(days))
    known.rankedKeywords.push({ term, rank, change, pageAt, autocomplete, failure })
    known.over7Days.push(rankChangeOver(ranks, depths, newest, rankChangeWindows.over7Days))
  }
  return new Map(
    [...summaries].map(([appId, { rankedKeywords, over7Days }]) => [
      appId,
      { rankedKeywords, over7Days: rankMovementOf(over7Days) },
    ]),
  )
}

function daysOf(months: readonly SummedMonth[] = [], from: number, newest: number): DayMap {
  const found = new DayMap(from, newest)
  for (const { month, days } of months) found.setMonth(dayNumber(month), days)
  return found
}

/** A keyword of one of several tracked apps. */
interface SummedKeyword {
  appId: string
  termId: number
  term: string
  autocomplete: number | null
  pageAt: Date | null
  pageDay: string | null
  /** When its last search failed, and why; null where it did not. */
  failedAt: Date | null
  failure: string | null
}

const idsIn = (appIds: readonly string[]) => sql`${`{${appIds.join(',')}}`}::uuid[]`

/** The keywords of these apps, unordered. */
function keywordsOfApps(db: Database, appIds: readonly string[]): Promise<SummedKeyword[]> {
  return rows(
    db,
    sql<SummedKeyword>`
      with k as materialized (select app_id, term_id from tracked_keywords where app_id = any(${idsIn(appIds)})),
      t as materialized (select * from terms where term_id in (select term_id from k)),
      f as materialized (
        select term_id, failed_at, message from search_failures where term_id in (select term_id from k)
      )
      select k.app_id as "appId", t.term_id as "termId", t.term, t.autocomplete, t.page_at as "pageAt",
        t.page_day::text as "pageDay", f.failed_at as "failedAt", f.message as failure
      from k join t using (term_id) left join f using (term_id)`,
  )
}

/** A month of ranks of one app for one term, or of depths. */
interface SummedMonth {
  termId: number
  month: string
  /** A number for each day of the month, separated by commas; empty for days without one. */
  days: string
}

/** Condition for the months of the newest page of a term and of the given number of days before it. */
const monthsUpTo = (days: number) => sql`
  cross join lateral (
    select first::date as month from generate_series(
      date_trunc('month', t.page_day - ${days}::int), t.page_day::timestamp, interval '1 month') first
  ) asked`

/**
 * Ranks of these apps for their keywords, around the newest page of each. The rows to read are listed first: otherwise the
 * planner would read all ranks of an app.
 */
function ranksOfApps(
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
function depthsOfApps(db: Database, appIds: readonly string[], days: number): Promise<SummedMonth[]> {
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
