import type { Database } from '../../../storage/database.ts'
import { changeWindows, type Days, dayNumber, dayText } from '../pages/rank-days.ts'
import { depthDays, type RankHistory, rankDays, rankHistories } from '../pages/rank-queries.ts'

/** Daily ranks of an app for one term, and daily depths of its pages; undefined where there are none. */
export interface KeywordHistory {
  ranks: Days | undefined
  depths: Days | undefined
  /** Over all stored pages, with the first day of the best rank; undefined for an app that never ranked. */
  best: RankHistory['best'] | undefined
}

interface Term {
  termId: number
  /** Day of its newest page; null without one. */
  pageDay: string | null
}

/** Days before a page over which its changes are reported. */
const lookBack = changeWindows.over30Days.most
const daysBefore = (day: string) => dayText(dayNumber(day) - lookBack)

/**
 * The history of an app for some terms: over a window and the days before it that its changes need; for terms whose newest
 * page is older, over the days that the changes of that page need.
 */
export async function historiesOf(
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
    depthDays(db, termIds, daysBefore(from), to),
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
): Promise<{ ranks: Map<number, Days>; depths: Map<number, Days> }> {
  const pageDays = terms.flatMap(({ pageDay }) => pageDay ?? []).sort()
  const [first, last] = [pageDays[0], pageDays.at(-1)]
  if (first === undefined || last === undefined) return { ranks: new Map(), depths: new Map() }
  const termIds = terms.map(({ termId }) => termId)
  const [ranks, depths] = await Promise.all([
    rankDays(db, storeId, country, termIds, daysBefore(first), last),
    depthDays(db, termIds, daysBefore(first), last),
  ])
  return { ranks, depths }
}
