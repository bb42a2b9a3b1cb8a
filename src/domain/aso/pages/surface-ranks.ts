import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { normaliseTerm } from '../../../text/keyword-term.ts'
import {
  comparedWithinHours,
  type SearchSurface,
  searchSurfaceRow,
} from '../../../vocabulary/search-surfaces.ts'
import type { AppRecord } from '../../catalogue/record.ts'
import { type RankState, rankOnPage } from './rank-days.ts'
import { newestRanks, termIdsArray } from './rank-queries.ts'

/**
 * Ranks of one keyword on several surfaces. A term of another surface than the main one is a term of its own (`term_names.surface`), so
 * pages, ranks and histories are read with its number, by what reads those of any term.
 */

/** A term of the main surface, as another surface knows it. */
interface TermElsewhere {
  /** Of the main surface. */
  mainId: number
  termId: number
  surface: SearchSurface
  /** The newest page that counts. */
  pageAt: Date
  pageDepth: number | null
}

/** The newest pages of terms on all surfaces but one, unordered; terms without a page there are left out. @param mainIds of the main surface */
async function termsElsewhere(
  db: Database,
  mainIds: readonly number[],
  surface: SearchSurface,
): Promise<TermElsewhere[]> {
  const named = await rows(
    db,
    sql<Pick<TermElsewhere, 'mainId' | 'termId' | 'surface'>>`
      select n.term_id as "mainId", o.term_id as "termId", o.surface
      from term_names n join term_names o on o.country = n.country and o.term = n.term and o.surface <> ${surface}
      where n.term_id = any(${termIdsArray(mainIds)})`,
  )
  if (named.length === 0) return []
  const pages = await rows(
    db,
    sql<Pick<TermElsewhere, 'termId' | 'pageAt' | 'pageDepth'>>`
      select term_id as "termId", page_at as "pageAt", page_depth as "pageDepth" from term_states
      where term_id = any(${termIdsArray(named.map(({ termId }) => termId))}) and page_at is not null`,
  )
  const paged = new Map(pages.map((page) => [page.termId, page]))
  return named.flatMap((one) => {
    const page = paged.get(one.termId)
    return page ? [{ ...one, ...page }] : []
  })
}

/** The rank of an app on the newest page of another surface. */
export interface RankElsewhere {
  surface: SearchSurface
  rank: RankState
  pageAt: Date
}

/** The ranks of apps for terms on all other surfaces, in the order of the surfaces; empty where none has a page. */
export type RanksElsewhere = (storeId: string, mainId: number) => readonly RankElsewhere[]

/**
 * The newest ranks of apps on all surfaces but one.
 * @param mainIds terms of the main surface
 */
export async function ranksElsewhere(
  db: Database,
  storeIds: readonly string[],
  country: string,
  mainIds: readonly number[],
  surface: SearchSurface,
): Promise<RanksElsewhere> {
  const terms = mainIds.length === 0 ? [] : await termsElsewhere(db, mainIds, surface)
  if (terms.length === 0 || storeIds.length === 0) return () => []
  const placed = await newestRanks(
    db,
    storeIds,
    country,
    terms.map(({ termId }) => termId),
  )
  const ranks = new Map(placed.map(({ storeId, termId, rank }) => [`${storeId} ${termId}`, rank]))
  const ofTerm = Map.groupBy(terms, ({ mainId }) => mainId)
  return (storeId, mainId) =>
    (ofTerm.get(mainId) ?? []).map(({ termId, surface: name, pageAt, pageDepth }) => ({
      surface: name,
      rank: rankOnPage(ranks.get(`${storeId} ${termId}`), pageDepth),
      pageAt,
    }))
}

/** How the rank of one surface differs from that of another. */
export interface RankComparison {
  /** Between the two pages; null without a page here. */
  minutesApart: number | null
  /** Not compared where the pages are too far apart, where one of them was not looked at so deep, or where there is no page here. */
  outcome: 'same' | 'differs' | 'not-compared'
  /** Places between them; null where one is absent, or they are not compared. */
  places: number | null
  /** In plain words. */
  text: string
}

/** @param here the rank on the surface of the reply, with its page; @param there on another one */
export function compareSurfaces(
  here: { rank: RankState; pageAt: Date | null },
  there: RankElsewhere,
): RankComparison {
  const { label } = searchSurfaceRow(there.surface)
  const notCompared = { outcome: 'not-compared' as const, places: null }
  const said = rankWords(there.rank)
  if (here.pageAt === null || here.rank.state === 'not-measured' || there.rank.state === 'not-measured')
    return { minutesApart: null, ...notCompared, text: `No page here; ${said} in ${label}` }
  const minutesApart = Math.round(Math.abs(here.pageAt.getTime() - there.pageAt.getTime()) / 60_000)
  const apart = timeApart(minutesApart)
  if (minutesApart > comparedWithinHours * 60) {
    const text = `${rankWords(here.rank)} here on ${timeOf(here.pageAt)}, ${said} in ${label} on ${timeOf(there.pageAt)}: too far apart to compare`
    return { minutesApart, ...notCompared, text }
  }
  const text = `${rankWords(here.rank)} here, ${said} in ${label}, ${apart}`
  const [one, other] = [here.rank, there.rank]
  if (one.state === 'measured' && other.state === 'measured') {
    const places = Math.abs(one.value - other.value)
    return { minutesApart, outcome: places === 0 ? 'same' : 'differs', places, text }
  }
  if (one.state === 'absent' && other.state === 'absent')
    return { minutesApart, outcome: 'same', places: null, text }
  const [placed, missing] = one.state === 'measured' ? [one, other] : [other, one]
  const isLookedAt = placed.state === 'measured' && missing.state === 'absent' && placed.value <= missing.depth
  return isLookedAt
    ? { minutesApart, outcome: 'differs', places: null, text }
    : { minutesApart, ...notCompared, text: `${text}: so deep only one of them was looked at` }
}

const rankWords = (rank: RankState) =>
  rank.state === 'measured'
    ? ordinal(rank.value)
    : rank.state === 'absent'
      ? `not among ${rank.depth}`
      : 'not measured'

const plural = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (value: number) => `${value}${endings[plural.select(value)] ?? 'th'}`

const timeApart = (minutes: number) =>
  minutes === 0
    ? 'at the same time'
    : minutes < 120
      ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} apart`
      : `${Math.round(minutes / 60)} hours apart`

const timeOf = (at: Date) => `${at.toISOString().slice(0, 16)}Z`

/** An app that a surface does not list, though its storefront has it. */
export interface NotListed {
  /** Its own exact name, which was searched for. */
  term: string
  /** How many places that page has. */
  depth: number
  observedAt: Date
  /** When a lookup or the page of the app last told it. */
  knownAt: Date
}

const ofTheStore: readonly string[] = ['itunes-lookup', 'app-store-page']
/** Days before the search for its name in which no page may show the app. */
const unseenDays = 30

/**
 * Whether a surface does not list an app at all, as far as that can be said: a lookup or the page of the app tells it in the storefront,
 * the newest page of a search for its exact name goes as deep as the surface does and does not list it, and no page of the surface of the
 * month before, or since, does.
 * @param record of the app in the storefront
 */
export async function notListed(
  db: Database,
  { storeId, country, facts, evidence }: Pick<AppRecord, 'storeId' | 'country' | 'facts' | 'evidence'>,
  surface: SearchSurface,
): Promise<NotListed | undefined> {
  const known = evidence.filter(({ source }) => ofTheStore.includes(source)).map(({ observedAt }) => observedAt)
  const knownAt = known.sort().at(-1)
  if (knownAt === undefined) return undefined
  const term = normaliseTerm(facts.name, country)
  const page = await firstRow(
    db,
    sql<{ pageAt: Date; depth: number; requested: number | null; isShown: boolean; from: string }>`
      select s.page_at as "pageAt", s.page_depth as depth, p.requested, ${bigintId(storeId)} = any(p.store_ids) as "isShown",
        (s.page_day - ${unseenDays}::int)::text as "from"
      from term_names n join term_states s using (term_id)
      join result_pages p on p.term_id = s.term_id and p.captured_at = s.page_at
      where n.country = ${country} and n.term = ${term} and n.surface = ${surface} and s.page_depth > 0`,
  )
  if (!page || page.isShown || !isWhole(surface, page)) return undefined
  const seen = await firstRow(
    db,
    sql`
      select from rank_months m join term_names n using (term_id)
      where m.store_id = ${bigintId(storeId)} and m.country = ${country} and n.surface = ${surface}
        and m.month >= date_trunc('month', ${page.from}::date)
      limit 1`,
  )
  if (seen) return undefined
  return { term, depth: page.depth, observedAt: page.pageAt, knownAt: new Date(knownAt) }
}

/** Whether a page shows all that its surface lists: it was asked for the most it gives, or gave less than it was asked for. */
function isWhole(
  surface: SearchSurface,
  { depth, requested }: { depth: number; requested: number | null },
): boolean {
  const most = searchSurfaceRow(surface).depth
  return most === null || (requested !== null && (requested >= most || depth < requested))
}
