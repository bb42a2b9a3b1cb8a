import type { Database } from '../../../storage/database.ts'
import { type Movement, movementOf } from '../pages/movement.ts'
import { changeOver, changeWindows, Days, dayNumber, type RankChange, rankOn } from '../pages/rank-days.ts'
import type { RankedKeyword } from '../pages/rank-summary.ts'
import {
  depthsOfApps,
  keywordsOfApps,
  ranksOfApps,
  type SummedKeyword,
  type SummedMonth,
} from './app-summary-queries.ts'

/** Summary of a tracked app over its keywords, with movements over seven days. */
export interface AppSummary {
  rankedKeywords: RankedKeyword[]
  over7Days: Movement
}

/** Days before a page over which changes are reported. */
const lookBack = changeWindows.over7Days.most

/** Summaries of tracked apps in three statements, whatever their number. Apps without keywords are left out. */
export async function summariesOf(db: Database, appIds: readonly string[]): Promise<Map<string, AppSummary>> {
  if (appIds.length === 0) return new Map()
  const keywords = await keywordsOfApps(db, appIds)
  const [ranks, depths] = await Promise.all([
    ranksOfApps(db, appIds, lookBack),
    depthsOfApps(db, appIds, lookBack),
  ])
  const ranksOf = Map.groupBy(ranks, ({ appId, termId }) => `${appId} ${termId}`)
  const depthsOf = Map.groupBy(depths, ({ termId }) => termId)
  const summaries = new Map<string, { rankedKeywords: RankedKeyword[]; changes: RankChange[] }>()
  for (const keyword of keywords) {
    const { appId, termId } = keyword
    const known = summaries.get(appId) ?? { rankedKeywords: [], changes: [] }
    summaries.set(appId, known)
    const { ranked, change } = summed(keyword, ranksOf.get(`${appId} ${termId}`), depthsOf.get(termId))
    known.rankedKeywords.push(ranked)
    known.changes.push(change)
  }
  return new Map(
    [...summaries].map(([appId, { rankedKeywords, changes }]) => [
      appId,
      { rankedKeywords, over7Days: movementOf(changes) },
    ]),
  )
}

function summed(
  { pageDay, pageAt, autocomplete, searchFailed }: SummedKeyword,
  rankMonths: readonly SummedMonth[] = [],
  depthMonths: readonly SummedMonth[] = [],
): { ranked: RankedKeyword; change: RankChange } {
  if (pageDay === null) {
    const rank = { state: 'not-measured', reason: searchFailed ? 'source-failed' : 'never-collected' } as const
    return { ranked: { rank, pageAt, autocomplete }, change: rank }
  }
  const newest = dayNumber(pageDay)
  const [ranks, depths] = [daysOf(rankMonths, newest), daysOf(depthMonths, newest)]
  return {
    ranked: { rank: rankOn(ranks, depths, newest), pageAt, autocomplete },
    change: changeOver(ranks, depths, newest, changeWindows.over7Days),
  }
}

function daysOf(months: readonly SummedMonth[], newest: number): Days {
  const found = new Days(newest - lookBack, newest)
  for (const { month, days } of months) found.setMonth(dayNumber(month), days)
  return found
}
