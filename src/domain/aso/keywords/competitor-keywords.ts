import type { Database } from '../../../storage/database.ts'
import {
  type BestRank,
  bestRank,
  type DayMap,
  dayNumber,
  dayOfNumber,
  type RankChange,
  type RankState,
  rankChangeOver,
  rankChangeWindows,
  rankOnDay,
  rankOnPage,
  withSearchFailure,
} from '../pages/rank-days.ts'
import { depthsByTermAndDay, ranksByTermAndDay } from '../pages/rank-queries.ts'
import type { RankedKeyword } from '../pages/rank-summary.ts'
import { idsOfKnownTerms, noScores } from '../pages/term-queries.ts'
import { type ToolHistory, toolHistories } from '../pages/tool-ranks.ts'
import {
  firstOfNewestPageDays,
  type PageReading,
  type RankedTerm,
  rankedTerms,
  readingsOfNewestPages,
} from './competitor-keyword-queries.ts'

/** A keyword that matters to an app, with its current and past ranks. */
export interface AppKeyword {
  term: string
  tracked: boolean
  /** On the newest page. */
  rank: RankState
  pageAt: Date | null
  /** Undefined without a page. */
  reading: PageReading | undefined
  over30Days: RankChange
  best: BestRank
  difficulty: number | null
  difficultyFormula: string | null
  searchFailed: boolean
  /** The newest days with a page, oldest first. */
  history: { date: string; rank: RankState }[]
  /** What other tools told, over all time; nothing else here rests on it. */
  otherTools: readonly ToolHistory[]
}

export interface AppKeywords {
  /** Every keyword, with the inputs of the visibility. */
  rankedKeywords: RankedKeyword[]
  ranked: number
  /** At most 100: best rank first, then lost ones, other absent ones and those not measured. */
  items: AppKeyword[]
  /** The keywords of `items` that have a page, in their order. */
  searched: { termId: number; term: string }[]
}

/** Number of keywords shown, and of days of each. */
const shownKeywords = 100
const shownDays = 30

/**
 * The keywords of an app in a storefront, from stored result pages: terms whose pages ever showed it, terms the account
 * tracks for it, and terms of its own texts, which may never have been searched.
 * @param ownTerms normalised
 */
export async function keywordsOfApp(
  db: Database,
  accountId: string,
  { storeId, country }: { storeId: string; country: string },
  ownTerms: readonly string[],
): Promise<AppKeywords> {
  const found = await rankedTerms(db, accountId, storeId, country, ownTerms)
  const known = new Set(found.map(({ term }) => term))
  const all = [...found, ...ownTerms.filter((term) => !known.has(term)).map(neverSearched)]
  const shown = all.toSorted(byRank).slice(0, shownKeywords)
  const paged = shown.filter(({ pageAt }) => pageAt !== null)
  const termIds = paged.map(({ termId }) => termId)
  const historyOf = await historiesOf(db, storeId, country, paged)
  const readings = await readingsOfNewestPages(db, termIds)
  const unsearched = shown.filter(({ termId }) => termId === 0).map(({ term }) => term)
  const named = await idsOfKnownTerms(db, country, unsearched)
  const idOf = ({ termId, term }: RankedTerm) => termId || (named.get(term) ?? 0)
  const told = await toolHistories(db, [storeId], country, shown.map(idOf))
  const readingOf = new Map(readings.map((reading) => [reading.termId, reading]))
  return {
    rankedKeywords: all.map((term) => ({ ...term, rank: rankOf(term) })),
    ranked: all.filter(({ rank }) => rank !== null).length,
    items: shown.map((term) => ({
      ...term,
      rank: rankOf(term),
      reading: readingOf.get(term.termId),
      best: withSearchFailure(bestRank(term.best, term), term),
      ...historyOf(term),
      otherTools: told(storeId, idOf(term)),
    })),
    searched: paged,
  }
}

const rankOf = (term: RankedTerm): RankState => withSearchFailure(rankOnPage(term.rank, term.pageDepth), term)

const neverSearched = (term: string): RankedTerm => ({
  termId: 0,
  term,
  tracked: false,
  rank: null,
  best: null,
  pageDay: null,
  pageDepth: null,
  pages: 0,
  deepest: null,
  ...noScores,
})

function byRank(one: RankedTerm, other: RankedTerm): number {
  return (
    groupOf(one) - groupOf(other) || (one.rank ?? 0) - (other.rank ?? 0) || (one.term < other.term ? -1 : 1)
  )
}

function groupOf({ rank, best, pageAt }: RankedTerm): number {
  if (rank !== null) return 0
  if (pageAt === null) return 3
  return best === null ? 2 : 1
}

/** The ranks on the newest days of each term, and the changes over 30 days. */
async function historiesOf(db: Database, storeId: string, country: string, terms: readonly RankedTerm[]) {
  const termIds = terms.map(({ termId }) => termId)
  const newest = terms.flatMap(({ pageDay }) => pageDay ?? []).sort()
  const [oldest, last] = [newest[0], newest.at(-1)]
  let ranks = new Map<number, DayMap>()
  let depths = new Map<number, DayMap>()
  let from = 0
  if (oldest && last) {
    const first = await firstOfNewestPageDays(db, termIds, shownDays)
    from = Math.min(dayNumber(first ?? oldest), dayNumber(oldest) - rankChangeWindows.over30Days.most)
    ;[ranks, depths] = await Promise.all([
      ranksByTermAndDay(db, storeId, country, termIds, dayOfNumber(from), last),
      depthsByTermAndDay(db, termIds, dayOfNumber(from), last),
    ])
  }
  return ({ termId, pageDay, searchFailed }: RankedTerm): Pick<AppKeyword, 'history' | 'over30Days'> => {
    const [own, looked] = [ranks.get(termId), depths.get(termId)]
    const day = pageDay === null ? undefined : dayNumber(pageDay)
    const history = newestDays(looked, from, day).map((at) => ({
      date: dayOfNumber(at),
      rank: rankOnDay(own, looked, at),
    }))
    const over30Days = rankChangeOver(own, looked, day, rankChangeWindows.over30Days)
    return { history, over30Days: withSearchFailure(over30Days, { searchFailed }) }
  }
}

/** Days with a page, oldest first. */
function newestDays(depths: DayMap | undefined, from: number, newest: number | undefined): number[] {
  const days: number[] = []
  let day = newest
  while (day !== undefined && days.length < shownDays) {
    days.push(day)
    day = depths?.newest(from, day - 1)
  }
  return days.reverse()
}
