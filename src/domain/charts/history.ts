import type { Database } from '../../storage/database.ts'
import type { ChartIdentity } from './chart-reading.ts'
import {
  type CaptureRow,
  type ChartRow,
  capturesOf,
  chartsObserved,
  chartsOf,
  newestReadings,
  type RankRow,
  type ReadingOfCapture,
  ranksOfApp,
} from './queries.ts'
import { storefrontDay } from './storefront-day.ts'

/** One day of a series: a rank, none among `depth` places, or no snapshot. */
export interface HistoryDay {
  date: string
  rank: number | null
  /** Places looked at; null on a day without a snapshot. */
  depth: number | null
}

export interface ChartSeries {
  chart: ChartRow
  /** Every day of the window, oldest first. */
  days: HistoryDay[]
  best: { rank: number; date: string }
  snapshots: number
  newest: ReadingOfCapture
}

export interface History {
  from: string
  to: string
  /** Best rank first. */
  series: ChartSeries[]
  chartsObserved: number
}

export interface HistoryOrder {
  storeId: string
  country: string
  only: Partial<Omit<ChartIdentity, 'country'>>
  from?: string
  to?: string
}

/** Days of a window whose start is not given. */
const defaultDays = 90
const dayMs = 86_400_000

/** The ranks of one app by day in every chart of a storefront that showed it within a window. */
export async function chartHistory(db: Database, order: HistoryOrder, today: Date): Promise<History> {
  const charts = await chartsOf(db, order.country, order.only)
  const { from, to } = windowOf(order, charts, today)
  const ids = charts.map((chart) => chart.chartId)
  const [ranks, observed] = await Promise.all([
    ranksOfApp(
      db,
      order.storeId,
      ids,
      new Date(Date.parse(from) - 2 * dayMs),
      new Date(Date.parse(to) + 3 * dayMs),
    ),
    chartsObserved(db, ids, from, to),
  ])
  const ranked = [...new Set(ranks.map((rank) => rank.chartId))]
  const [captured, readings] = await Promise.all([
    capturesOf(db, ranked, from, to),
    newestReadings(db, ranked, from, to),
  ])
  const captures = Map.groupBy(captured, (capture) => capture.chartId)
  const found = Map.groupBy(ranks, (rank) => rank.chartId)
  const newest = new Map(readings.map((reading) => [reading.chartId, reading]))
  const series = charts.flatMap((chart) => {
    const reading = newest.get(chart.chartId)
    const ranksHere = found.get(chart.chartId)
    if (!reading || !ranksHere) return []
    return seriesOf(chart, reading, captures.get(chart.chartId) ?? [], ranksHere, from, to)
  })
  return {
    from,
    to,
    series: series.sort(
      (one, other) => one.best.rank - other.best.rank || one.chart.chartId - other.chart.chartId,
    ),
    chartsObserved: observed,
  }
}

/** The window asked for; without an end it ends with the newest snapshot, without a start it is 90 days long. */
function windowOf(order: HistoryOrder, charts: readonly ChartRow[], today: Date): { from: string; to: string } {
  const newest = charts.reduce<Date | undefined>(
    (latest, chart) => (latest && latest > chart.newestCapturedAt ? latest : chart.newestCapturedAt),
    undefined,
  )
  const to = order.to ?? storefrontDay(order.country, newest ?? today)
  const from = order.from ?? new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString().slice(0, 10)
  return { from, to: from > to ? from : to }
}

/** One chart's series, or none when no capture of the window showed the app. */
function seriesOf(
  chart: ChartRow,
  newest: ReadingOfCapture,
  captures: readonly CaptureRow[],
  ranks: readonly RankRow[],
  from: string,
  to: string,
): ChartSeries[] {
  const rankAt = new Map(ranks.map((rank) => [rank.capturedAt, rank.rank]))
  const byDay = new Map(captures.map((capture) => [capture.day, capture]))
  const days: HistoryDay[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) {
    const date = new Date(time).toISOString().slice(0, 10)
    const last = byDay.get(date)
    days.push({
      date,
      rank: last ? (rankAt.get(last.capturedAt) ?? null) : null,
      depth: last?.returned ?? null,
    })
  }
  const best = bestOf(captures, rankAt)
  return best ? [{ chart, days, best, snapshots: captures.length, newest }] : []
}

function bestOf(
  captures: readonly CaptureRow[],
  rankAt: ReadonlyMap<number, number>,
): { rank: number; date: string } | undefined {
  let best: { rank: number; date: string } | undefined
  for (const capture of captures) {
    const rank = rankAt.get(capture.capturedAt)
    if (rank !== undefined && (!best || rank < best.rank)) best = { rank, date: capture.day }
  }
  return best
}
