import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../../storage/database.ts'
import type { SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import type { AppRecord } from '../../catalogue/record.ts'
import { recordOfApp } from '../../catalogue/record-queries.ts'
import {
  type BestRank,
  bestRank,
  compactRank,
  dayNumber,
  dayOfNumber,
  type RankChange,
  type RankState,
  rankChangeOver,
  rankChangeWindow,
  rankChangeWindows,
  rankOnDay,
  rankOnPage,
  withSearchFailure,
} from '../pages/rank-days.ts'
import { newestRanks } from '../pages/rank-queries.ts'
import { maxPageAgeDays, measuredShare } from '../pages/rank-summary.ts'
import { type NotListed, notListed, type RankElsewhere, ranksElsewhere } from '../pages/surface-ranks.ts'
import { newestToldDay, type ToolHistory, toolHistories } from '../pages/tool-ranks.ts'
import { relevanceTo } from '../scores/relevance.ts'
import { VisibilitySums } from '../scores/visibility.ts'
import { rivalsOf, type TrackedAppRow } from './tracked-apps.ts'
import {
  type KeywordFacts,
  type KeywordHistory,
  keywordFacts,
  keywordHistories,
} from './workstation-queries.ts'

/** A keyword of the app with its current and past ranks. */
export interface RankedWorkstationKeyword extends KeywordFacts {
  /** On the newest page. */
  rank: RankState
  changes: Record<keyof typeof rankChangeWindows, RankChange>
  /** Over the days of `moveDays`. */
  change: RankChange
  best: BestRank
  /** One compact rank for each day of the window, oldest first. */
  series: (number | string | null)[]
  /** What other tools told, over all time; nothing else here rests on it. */
  otherTools: readonly ToolHistory[]
  /** On the newest pages of other surfaces; nothing else here rests on them. */
  elsewhere: readonly RankElsewhere[]
  /** Undefined when no listing of the app is stored in its storefront. */
  relevance: number | undefined
  above: PlacedApp[]
}

/** A rival of the account, compared keyword by keyword. */
export interface RivalRanks {
  appId: string
  storeId: string
  /** One for each keyword, in their order. */
  ranks: RankState[]
}

export interface Workstation {
  /** Dates of the first and the last day. */
  window: { from: string; to: string }
  /** Of its storefront; undefined when none is stored. */
  listing: AppRecord['facts'] | undefined
  /** Why the app is absent everywhere, where the surface does not list it; looked for where it is absent at all. */
  notListed: NotListed | undefined
  /** Best rank first, then absent, then not measured, then by term. */
  keywords: RankedWorkstationKeyword[]
  /** Visibility as each day of the window knew it: from the newest page of each keyword of the 30 days before; undefined without one. */
  visibilityDays: { date: string; share: number | undefined; measured: number; coverage: number | null }[]
  /** In the order they were tracked. */
  rivals: RivalRanks[]
}

/** Days of thousands of keywords that are summed before others have their turn. */
const daysAtATime = 60

/**
 * A tracked app with all its keywords, from stored evidence alone. The window ends on the day of the newest page of any
 * keyword; without one on the newest day that another tool told.
 * @param moveDays of the change of each keyword, at most 30
 * @param surface of its pages and all that rests on ranks
 * @param today in the storefront; where the window ends when there is neither
 */
export async function workstationOf(
  db: Database,
  accountId: string,
  tracked: Pick<TrackedAppRow, 'appId' | 'storeId' | 'country' | 'rivalOf'>,
  windowDays: number,
  moveDays: number,
  today: string,
  surface: SearchSurface,
): Promise<Workstation> {
  const { appId, storeId, country } = tracked
  const facts = await keywordFacts(db, appId, surface)
  const termIds = facts.map(({ termId }) => termId)
  const mainIds = facts.map(({ mainId }) => mainId)
  const told = await toolHistories(db, [storeId], country, mainIds)
  const newestTold = newestToldDay(mainIds.flatMap((mainId) => told(storeId, mainId)))
  const to = facts.flatMap(({ pageDay }) => pageDay ?? []).reduce(laterDay, '') || (newestTold ?? today)
  const window = { from: dayOfNumber(dayNumber(to) - windowDays + 1), to }
  const [historyOf, rivals, record, elsewhere] = await Promise.all([
    keywordHistories(db, tracked, facts, window),
    rivalsOn(db, accountId, tracked, termIds),
    recordOfApp(db, storeId, country),
    ranksElsewhere(db, [storeId], country, mainIds, surface),
  ])
  const listing = record?.facts
  const relevance = listing && relevanceTo(listing)
  const days = daysOf(window)
  const keywords = facts
    .map((keyword): RankedWorkstationKeyword => {
      const history = historyOf(keyword)
      const rank = newestRank(keyword, history)
      return {
        ...keyword,
        rank: withSearchFailure(rank, keyword),
        changes: changesOf(keyword, history),
        change: changeOver(keyword, history, rankChangeWindow(moveDays)),
        best: withSearchFailure(bestRank(history.best, keyword), keyword),
        series: days.map((day) => compactRank(history.ranks, history.depths, day)),
        otherTools: told(storeId, keyword.mainId),
        elsewhere: elsewhere(storeId, keyword.mainId),
        relevance: relevance?.(keyword.term),
        above: keyword.pageAt ? appsAbove(placesOf(keyword.top), rivals.on(keyword.termId), placeOf(rank)) : [],
      }
    })
    .sort(byRank)
  const visibilityDays = await visibilityByDay(
    days,
    facts.map((keyword) => ({ ...historyOf(keyword), autocomplete: keyword.autocomplete ?? undefined })),
  )
  const isAbsent = keywords.some(({ rank }) => rank.state === 'absent')
  return {
    window,
    listing,
    notListed: record && isAbsent ? await notListed(db, record, surface) : undefined,
    keywords,
    visibilityDays,
    rivals: rivals.apps.map((rival) => ({
      ...rival,
      ranks: keywords.map(({ termId, pageDepth, searchFailed }) =>
        withSearchFailure(rankOnPage(placeAmong(rivals.on(termId), rival.storeId), pageDepth), {
          searchFailed,
        }),
      ),
    })),
  }
}

const laterDay = (one: string, other: string) => (other > one ? other : one)

function daysOf({ from, to }: { from: string; to: string }): number[] {
  const first = dayNumber(from)
  return Array.from({ length: dayNumber(to) - first + 1 }, (_, index) => first + index)
}

function newestRank({ pageDay, pageDepth }: KeywordFacts, { ranks, depths }: KeywordHistory): RankState {
  return pageDay === null ? rankOnPage(null, pageDepth) : rankOnDay(ranks, depths, dayNumber(pageDay))
}

function changeOver(
  { pageDay, searchFailed }: KeywordFacts,
  { ranks, depths }: KeywordHistory,
  window: ReturnType<typeof rankChangeWindow>,
): RankChange {
  const newest = pageDay === null ? undefined : dayNumber(pageDay)
  return withSearchFailure(rankChangeOver(ranks, depths, newest, window), { searchFailed })
}

function changesOf(keyword: KeywordFacts, history: KeywordHistory): RankedWorkstationKeyword['changes'] {
  const over = (window: keyof typeof rankChangeWindows) =>
    changeOver(keyword, history, rankChangeWindows[window])
  return { over1Day: over('over1Day'), over7Days: over('over7Days'), over30Days: over('over30Days') }
}

const placesOf = (top: string | null): (string | null)[] =>
  top === null || top === '' ? [] : top.split(',').map((storeId) => storeId || null)

const placeOf = (rank: RankState) => (rank.state === 'measured' ? rank.value : undefined)

const placeAmong = (placed: readonly PlacedApp[], storeId: string) =>
  placed.find((place) => place.storeId === storeId)?.position

const stateOrder = { measured: 0, absent: 1, 'not-measured': 2 } as const

function byRank(one: RankedWorkstationKeyword, other: RankedWorkstationKeyword): number {
  return (
    stateOrder[one.rank.state] - stateOrder[other.rank.state] ||
    (placeOf(one.rank) ?? 0) - (placeOf(other.rank) ?? 0) ||
    (one.term < other.term ? -1 : 1)
  )
}

/**
 * The visibility of each day as it was known then. A keyword counts with its newest page, as in the figure of today: on a day on which
 * some keywords alone were searched, the others have not left.
 */
async function visibilityByDay(
  days: readonly number[],
  keywords: readonly (Omit<KeywordHistory, 'best'> & { autocomplete: number | undefined })[],
): Promise<Workstation['visibilityDays']> {
  const [first = 0, last = -1] = [days[0], days.at(-1)]
  /** Of each keyword, the day of its newest page until then, and its place there; null when absent. */
  const pageDays = new Int32Array(keywords.length)
  const places = new Array<number | null>(keywords.length).fill(null)
  const found: Workstation['visibilityDays'] = []
  for (let day = first - maxPageAgeDays; day <= last; day++) {
    if (day % daysAtATime === 0) await setImmediate()
    const sums = new VisibilitySums()
    for (const [index, { ranks, depths, autocomplete }] of keywords.entries()) {
      if (depths?.at(day) !== undefined) {
        pageDays[index] = day
        places[index] = ranks?.at(day) ?? null
      }
      if ((pageDays[index] ?? 0) >= day - maxPageAgeDays) sums.add(places[index], autocomplete)
    }
    const { share, measured } = sums
    if (day >= first)
      found.push({
        date: dayOfNumber(day),
        share,
        measured,
        coverage: measuredShare(measured, keywords.length),
      })
  }
  return found
}

/** An app on a result page. */
interface PlacedApp {
  storeId: string
  position: number
}

/** The rivals of a tracked app, with their places on the newest page of each of its keywords. */
interface Rivals {
  apps: readonly { appId: string; storeId: string }[]
  /** Rivals on the page of a term, unordered. */
  on: (termId: number) => readonly PlacedApp[]
}

async function rivalsOn(
  db: Database,
  accountId: string,
  tracked: Pick<TrackedAppRow, 'appId' | 'country' | 'rivalOf'>,
  termIds: readonly number[],
): Promise<Rivals> {
  const apps = await rivalsOf(db, accountId, tracked)
  const storeIds = apps.map(({ storeId }) => storeId)
  const found = apps.length === 0 ? [] : await newestRanks(db, storeIds, tracked.country, termIds)
  const placed = new Map<number, PlacedApp[]>()
  for (const { storeId, termId, rank } of found) {
    const known = placed.get(termId) ?? []
    placed.set(termId, known)
    known.push({ storeId, position: rank })
  }
  return { apps, on: (termId) => placed.get(termId) ?? [] }
}

/** Ranks of an app and a rival compared over the same keywords, each on its newest page. */
interface RivalComparison {
  /** The rival ranks, and the app is below or absent. */
  ahead: number
  /** The app ranks, and the rival is below or absent. */
  behind: number
  neither: number
  notMeasured: number
}

export function compareRanks(pairs: readonly { own: RankState; rival: RankState }[]): RivalComparison {
  const comparison = { ahead: 0, behind: 0, neither: 0, notMeasured: 0 }
  for (const { own, rival } of pairs) comparison[outcomeOf(own, rival)]++
  return comparison
}

function outcomeOf(own: RankState, rival: RankState): keyof RivalComparison {
  if (own.state === 'not-measured' || rival.state === 'not-measured') return 'notMeasured'
  if (own.state === 'absent') return rival.state === 'absent' ? 'neither' : 'ahead'
  return rival.state === 'measured' && rival.value < own.value ? 'ahead' : 'behind'
}

/** Maximum number of apps listed above another for one keyword. */
const mostAbove = 5

/**
 * The apps that rank above an app: rivals first, then from the top of the page, at most five.
 * @param top the first apps of the page in order; null where the entry could not be read
 * @param rivals on the same page, in any order
 * @param rank of the app; undefined when it is not on the page, which puts every app above it
 */
export function appsAbove(
  top: readonly (string | null)[],
  rivals: readonly PlacedApp[],
  rank: number | undefined,
): PlacedApp[] {
  const isAbove = ({ position }: PlacedApp) => rank === undefined || position < rank
  const first = rivals.filter(isAbove).sort((one, other) => one.position - other.position)
  const named = new Set(first.map(({ storeId }) => storeId))
  const others = top.flatMap((storeId, index) =>
    storeId === null || named.has(storeId) ? [] : [{ storeId, position: index + 1 }],
  )
  return [...first, ...others.filter(isAbove)].slice(0, mostAbove)
}
