import type { Database } from '../../storage/database.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { genreAndDescendants } from '../catalogue/genres.ts'
import { capturesOf } from '../charts/history-queries.ts'
import { type ChartRow, chartsOfGenres } from '../charts/queries.ts'
import type { ReadingAtInstant } from './candidate-queries.ts'
import {
  type CapturePlaces,
  type ChartEntrance,
  entranceOf,
  type MoveUp,
  moveUpOf,
  ranksByApp,
} from './moves.ts'
import { type CapturePlacesRow, chartedBefore, placesOfCaptures } from './queries.ts'
import { dayAfter, newestDay, requiredDaysBefore, type WatchedChart, watchedChart } from './watched-charts.ts'

/** The parameters of a run. The window ends with the newest capture, so that stored evidence of any age can be searched. */
export interface DiscoveryParameters {
  country: string
  /** Includes all genres under it; null for all categories. */
  categoryId: number | null
  windowDays: number
}

/** One chart with its captures of the search. */
interface ChartWindow {
  chart: ChartRow
  before: CapturePlaces | undefined
  /** Oldest first, at least one. */
  within: CapturePlaces[]
  newest: ReadingAtInstant
}

/**
 * The charts of a search with their captures, and the last day of the window. Three reads.
 * @returns undefined when no chart has a usable capture in the window
 */
export async function readChartWindows(
  db: Database,
  search: DiscoveryParameters,
): Promise<{ end: string; windows: ChartWindow[] } | undefined> {
  const { country, categoryId, windowDays } = search
  const charts = await chartsOfGenres(
    db,
    country,
    categoryId === null ? undefined : genreAndDescendants(categoryId),
  )
  const newest = Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime()))
  if (charts.length === 0) return undefined
  const lastDay = storefrontDay(country, new Date(newest))
  const captures = await capturesOf(
    db,
    charts.map(({ chartId }) => chartId),
    dayAfter(lastDay, -windowDays - requiredDaysBefore),
    dayAfter(lastDay, 1),
  )
  const end = newestDay(captures)
  if (end === undefined) return undefined
  const watched = captures.flatMap((list) => watchedChart(list, end, windowDays) ?? [])
  const read = await placesOfCaptures(
    db,
    watched.flatMap(({ before, within }) => (before ? [before, ...within] : within)),
  )
  const byChart = Map.groupBy(read, ({ chartId }) => chartId)
  const byId = new Map(charts.map((chart) => [chart.chartId, chart]))
  const windows = watched.flatMap((one) => lookAt(byId.get(one.chartId), one, byChart.get(one.chartId) ?? []))
  return windows.length === 0 ? undefined : { end, windows }
}

function lookAt(
  chart: ChartRow | undefined,
  { before }: WatchedChart,
  read: readonly CapturePlacesRow[],
): ChartWindow[] {
  const ordered = read.toSorted((one, other) => one.capturedAt - other.capturedAt)
  const newest = ordered.at(-1)
  if (!chart || !newest) return []
  const places = ordered.map(({ capturedAt, places }) => ({ capturedAt, storeIds: places.split(',') }))
  const isBefore = ({ capturedAt }: CapturePlaces) => capturedAt === before?.capturedAt
  return [
    {
      chart,
      before: places.find(isBefore),
      within: places.filter((one) => !isBefore(one)),
      newest: { readingId: newest.readingId, observedAt: new Date(newest.capturedAt).toISOString() },
    },
  ]
}

/** The chart moves of one app. */
export interface ChartMoves {
  /** The first sighting in the charts of the search, milliseconds since 1970. */
  firstCharted: number
  entries: { chart: ChartRow; move: ChartEntrance }[]
  movesUp: { chart: ChartRow; move: MoveUp; days: number }[]
  /** The newest captures of the charts it moved in. */
  evidence: ReadingAtInstant[]
}

interface MaybeEntry {
  window: ChartWindow
  storeId: string
  move: ChartEntrance
}

/**
 * Moves of every app in the charts, by its id; an app that did not move has neither entries nor moves up. An app must be in
 * the newest capture of the window or in two, since a single odd capture can hold anything. One read.
 */
export async function chartMovesIn(
  db: Database,
  windows: readonly ChartWindow[],
): Promise<Map<string, ChartMoves>> {
  const moves = new Map<string, ChartMoves>()
  const entries: MaybeEntry[] = []
  for (const window of windows) entries.push(...addMoves(moves, window))
  const old = new Set(
    (
      await chartedBefore(
        db,
        entries.map(({ window, storeId }) => ({
          chartId: window.chart.chartId,
          storeId,
          before: new Date(window.before?.capturedAt ?? 0),
        })),
      )
    ).map(({ chartId, storeId }) => `${chartId} ${storeId}`),
  )
  for (const { window, storeId, move } of entries) {
    if (old.has(`${window.chart.chartId} ${storeId}`)) continue
    moves.get(storeId)?.entries.push({ chart: window.chart, move })
    moves.get(storeId)?.evidence.push(window.newest)
  }
  return moves
}

/** Adds the moves up in a chart to the moves of the apps. Returns possible entries, to be checked against older captures. */
function addMoves(moves: Map<string, ChartMoves>, window: ChartWindow): MaybeEntry[] {
  const { chart, before, within, newest } = window
  const captures = before ? [before, ...within] : within
  const inWindow = captures.length - within.length
  const entries: MaybeEntry[] = []
  for (const [storeId, ranks] of ranksByApp(captures)) {
    const shown = ranks.subarray(inWindow)
    const first = shown.findIndex((rank) => rank > 0)
    const stays = (ranks.at(-1) ?? 0) > 0
    const firstAt = within[first]?.capturedAt
    if (firstAt === undefined || (!stays && shown.findLastIndex((rank) => rank > 0) === first)) continue
    const known = moves.get(storeId)
    const app = known ?? { firstCharted: firstAt, entries: [], movesUp: [], evidence: [] }
    if (!known) moves.set(storeId, app)
    app.firstCharted = Math.min(app.firstCharted, firstAt)
    if (!stays) continue
    const isOld = ranks.subarray(0, inWindow).some((rank) => rank > 0)
    const entry = isOld ? undefined : entranceOf(shown, before, within)
    if (entry) entries.push({ window, storeId, move: entry })
    const move = entry ? undefined : moveUpOf(ranks, 0, ranks.length)
    if (!move) continue
    app.movesUp.push({ chart, move, days: daysBetween(captures[move.since], captures.at(-1)) })
    app.evidence.push(newest)
  }
  return entries
}

const dayMs = 86_400_000

/** At least 1. */
function daysBetween(one: CapturePlaces | undefined, other: CapturePlaces | undefined): number {
  return Math.max(1, Math.round(((other?.capturedAt ?? 0) - (one?.capturedAt ?? 0)) / dayMs))
}
