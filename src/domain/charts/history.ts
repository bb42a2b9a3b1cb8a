import type { Database } from '../../storage/database.ts'
import type { ChartIdentity } from './chart-reading.ts'
import {
  type CaptureRow,
  type ChartRow,
  capturesOf,
  chartsObserved,
  chartsOf,
  type RankRow,
  type ReadingOfCapture,
  ranksOfApp,
  readingsOfCaptures,
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
  const ranks = await ranksOfApp(
    db,
    order.storeId,
    ids,
    new Date(Date.parse(from) - 2 * dayMs),
    new Date(Date.parse(to) + 3 * dayMs),
  )
  const ranked = [...new Set(ranks.map((rank) => rank.chartId))]
  const captures = Map.groupBy(await capturesOf(db, ranked, from, to), (capture) => capture.chartId)
  const found = Map.groupBy(ranks, (rank) => rank.chartId)
  const drafts = charts.flatMap((chart) =>
    seriesOf(chart, captures.get(chart.chartId) ?? [], found.get(chart.chartId) ?? [], from, to),
  )
  const readings = await readingsOfCaptures(
    db,
    drafts.map(({ chart, newestAt }) => ({ chartId: chart.chartId, capturedAt: newestAt })),
  )
  const series = drafts.flatMap(({ newestAt: _, ...draft }) => {
    const newest = readings.find((reading) => reading.chartId === draft.chart.chartId)
    return newest ? [{ ...draft, newest }] : []
  })
  return {
    from,
    to,
    series: series.sort(
      (one, other) => one.best.rank - other.best.rank || one.chart.chartId - other.chart.chartId,
    ),
    chartsObserved: await chartsObserved(db, ids, from, to),
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
  return { from: from > to ? to : from, to }
}

type Draft = Omit<ChartSeries, 'newest'> & { newestAt: Date }

/** One chart's series, or none when no capture of the window showed the app. */
function seriesOf(
  chart: ChartRow,
  captures: readonly CaptureRow[],
  ranks: readonly RankRow[],
  from: string,
  to: string,
): Draft[] {
  const rankAt = new Map(ranks.map((rank) => [rank.capturedAt.getTime(), rank.rank]))
  const byDay = new Map(captures.map((capture) => [capture.day, capture]))
  const days: HistoryDay[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) {
    const date = new Date(time).toISOString().slice(0, 10)
    const last = byDay.get(date)
    days.push({
      date,
      rank: last ? (rankAt.get(last.capturedAt.getTime()) ?? null) : null,
      depth: last?.returned ?? null,
    })
  }
  const best = bestOf(captures, rankAt)
  const newestAt = captures.at(-1)?.capturedAt
  return best && newestAt ? [{ chart, days, best, snapshots: captures.length, newestAt }] : []
}

function bestOf(
  captures: readonly CaptureRow[],
  rankAt: ReadonlyMap<number, number>,
): { rank: number; date: string } | undefined {
  let best: { rank: number; date: string } | undefined
  for (const capture of captures) {
    const rank = rankAt.get(capture.capturedAt.getTime())
    if (rank !== undefined && (!best || rank < best.rank)) best = { rank, date: capture.day }
  }
  return best
}
