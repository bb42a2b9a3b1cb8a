import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { mainSurface, type SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { type DayMap, dayNumber, dayOfNumber, rankChangeWindows } from '../pages/rank-days.ts'
import {
  depthsByTermAndDay,
  type RankHistory,
  rankHistories,
  ranksByTermAndDay,
  termIdsArray,
} from '../pages/rank-queries.ts'
import { type StoredScores, searchFailed, storedScores } from '../pages/term-queries.ts'

/** Places of a newest page that are read for the apps above: enough for five, with some unreadable entries. */
const placesRead = 10

/** A keyword of a tracked app with the stored data of its term. */
export interface KeywordFacts extends StoredScores {
  keywordId: string
  /** On the surface; 0 where it does not know the term. */
  termId: number
  /** On the main surface. */
  mainId: number
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
  /** Scores of the term, and the page of the main surface that they rest on. */
  scores: StoredScores
}

/** Every keyword of a tracked app, unordered: its pages are those of the surface, its scores those of the main one. */
export async function keywordFacts(
  db: Database,
  appId: string,
  surface: SearchSurface,
): Promise<KeywordFacts[]> {
  const found = await mainFacts(db, appId)
  if (surface === mainSurface) return found.map((fact) => ({ ...fact, mainId: fact.termId, scores: fact }))
  const pages = await pagesOnSurface(
    db,
    found.map(({ termId }) => termId),
    surface,
  )
  return found.map((fact) => ({
    ...fact,
    ...(pages.get(fact.termId) ?? noPages),
    mainId: fact.termId,
    scores: fact,
  }))
}

type SurfacePages = Pick<
  KeywordFacts,
  'termId' | 'pageAt' | 'pageDay' | 'pageDepth' | 'pages' | 'deepest' | 'searchFailed' | 'top'
>

const noPages: SurfacePages = {
  termId: 0,
  pageAt: null,
  pageDay: null,
  pageDepth: null,
  pages: 0,
  deepest: null,
  searchFailed: false,
  top: null,
}

/** The pages of another surface for terms of the main one, by their numbers there. */
async function pagesOnSurface(
  db: Database,
  mainIds: readonly number[],
  surface: SearchSurface,
): Promise<Map<number, SurfacePages>> {
  const found = await rows(
    db,
    sql<SurfacePages & { mainId: number }>`
      with named as materialized (
        select n.term_id as main_id, o.term_id
        from term_names n join term_names o on o.country = n.country and o.term = n.term and o.surface = ${surface}
        where n.term_id = any(${termIdsArray(mainIds)})
      ),
      t as materialized (select * from surface_terms where term_id in (select term_id from named))
      select named.main_id as "mainId", t.term_id as "termId", t.page_at as "pageAt", t.page_day::text as "pageDay",
        t.page_depth as "pageDepth", t.pages, t.deepest, ${searchFailed(sql`t`)} as "searchFailed",
        array_to_string(p.store_ids[1:${sql.lit(placesRead)}], ',', '') as top
      from named
      join t using (term_id)
      left join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at`,
  )
  return new Map(found.map(({ mainId, ...pages }) => [mainId, pages]))
}

function mainFacts(db: Database, appId: string): Promise<Omit<KeywordFacts, 'mainId' | 'scores'>[]> {
  return rows(
    db,
    sql<Omit<KeywordFacts, 'mainId' | 'scores'>>`
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
