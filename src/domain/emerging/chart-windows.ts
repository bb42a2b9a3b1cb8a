import type { Database } from '../../storage/database.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { genresUnder } from '../catalogue/genres.ts'
import { capturesOf } from '../charts/history-queries.ts'
import { type ChartRow, chartsOfGenres } from '../charts/queries.ts'
import type { Shown } from './candidate-queries.ts'
import { type PlacesRow, placesOf } from './queries.ts'
import type { Places } from './standings.ts'
import { dayAfter, newestDay, type WatchedChart, watchedChart, watchedDaysBefore } from './watched-charts.ts'

/** The parameters of a run. The window ends with the newest capture, so that stored evidence of any age can be searched. */
export interface Search {
  country: string
  /** Includes all genres under it; null for all categories. */
  categoryId: number | null
  windowDays: number
}

/** One chart with its captures of the search. */
export interface ChartWindow {
  chart: ChartRow
  before: Places | undefined
  /** Oldest first, at least one. */
  within: Places[]
  newest: Shown
}

/**
 * The charts of a search with their captures, and the last day of the window. Three reads.
 * @returns undefined when no chart has a usable capture in the window
 */
export async function readChartWindows(
  db: Database,
  search: Search,
): Promise<{ end: string; windows: ChartWindow[] } | undefined> {
  const { country, categoryId, windowDays } = search
  const charts = await chartsOfGenres(db, country, categoryId === null ? undefined : genresUnder(categoryId))
  const newest = Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime()))
  if (charts.length === 0) return undefined
  const lastDay = storefrontDay(country, new Date(newest))
  const captures = await capturesOf(
    db,
    charts.map(({ chartId }) => chartId),
    dayAfter(lastDay, -windowDays - watchedDaysBefore),
    dayAfter(lastDay, 1),
  )
  const end = newestDay(captures)
  if (end === undefined) return undefined
  const watched = captures.flatMap((list) => watchedChart(list, end, windowDays) ?? [])
  const read = await placesOf(
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
  read: readonly PlacesRow[],
): ChartWindow[] {
  const ordered = read.toSorted((one, other) => one.capturedAt - other.capturedAt)
  const newest = ordered.at(-1)
  if (!chart || !newest) return []
  const places = ordered.map(({ capturedAt, places }) => ({ capturedAt, storeIds: places.split(',') }))
  const isBefore = ({ capturedAt }: Places) => capturedAt === before?.capturedAt
  return [
    {
      chart,
      before: places.find(isBefore),
      within: places.filter((one) => !isBefore(one)),
      newest: { readingId: newest.readingId, observedAt: new Date(newest.capturedAt).toISOString() },
    },
  ]
}
