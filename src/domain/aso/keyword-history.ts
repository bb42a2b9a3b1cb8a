import type { Database } from '../../storage/database.ts'
import { changeWindows, type Days, dayNumber, dayText } from './rank-days.ts'
import { depthDays, rankDays } from './rank-queries.ts'

/** The ranks of an app for one term by day, and how deep the page of each day is; undefined where there are none. */
export interface KeywordHistory {
  ranks: Days | undefined
  depths: Days | undefined
}

interface Term {
  termId: number
  /** Day of its newest page; null without one. */
  pageDay: string | null
}

/** Days before a page from which its changes are told. */
const lookBack = changeWindows.over30Days.most

/**
 * The history of an app for some terms: over a window and the days its changes look back, or, for terms whose newest page
 * is older, over the days that the changes of that page look back.
 */
export async function historiesOf(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  terms: readonly Term[],
  { from, to }: { from: string; to: string },
): Promise<(term: Term) => KeywordHistory> {
  const isOld = ({ pageDay }: Term) => pageDay !== null && pageDay < from
  const old = terms.filter(isOld)
  const oldDays = old.flatMap(({ pageDay }) => pageDay ?? []).sort()
  const [current, earlier] = await Promise.all([
    spanOf(
      db,
      storeId,
      country,
      terms.filter((term) => !isOld(term)),
      from,
      to,
    ),
    spanOf(db, storeId, country, old, oldDays[0] ?? from, oldDays.at(-1) ?? from),
  ])
  return (term) => {
    const { ranks, depths } = isOld(term) ? earlier : current
    return { ranks: ranks.get(term.termId), depths: depths.get(term.termId) }
  }
}

async function spanOf(
  db: Database,
  storeId: string,
  country: string,
  terms: readonly Term[],
  from: string,
  to: string,
): Promise<{ ranks: Map<number, Days>; depths: Map<number, Days> }> {
  if (terms.length === 0) return { ranks: new Map(), depths: new Map() }
  const termIds = terms.map(({ termId }) => termId)
  const first = dayText(dayNumber(from) - lookBack)
  const [ranks, depths] = await Promise.all([
    rankDays(db, storeId, country, termIds, first, to),
    depthDays(db, termIds, first, to),
  ])
  return { ranks, depths }
}
