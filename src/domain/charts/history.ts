import type { Database } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { chartSubject, suspectDays } from '../collecting/suspects.ts'
import {
  newestDay,
  type RankList,
  type ReadingOfCapture,
  ranksOfApp,
  readingsOfCaptures,
  type SeenCapture,
  seenCapturesOf,
  storedWindow,
} from './history-queries.ts'
import { type ChartRow, chartsOf } from './queries.ts'

/** One day of a series: a rank, absence from `depth` places, or no snapshot; `suspect` marks an empty answer. */
export interface HistoryDay {
  date: string
  rank: number | null
  /** Places looked at; null on a day without a snapshot. */
  depth: number | null
  /** The capture behind the day, and how it was obtained; null on a day without a snapshot. */
  capture: DayCapture | null
  /** Whether the chart answered only with an empty list on this day, though it had apps before. */
  suspect: boolean
}

export interface DayCapture {
  /** Milliseconds. */
  capturedAt: number
  /** Parsed by `readAsOf`. */
  readAs: string
}

export interface ChartSeries {
  chart: ChartRow
  /** Every day of the window, oldest first. */
  days: HistoryDay[]
  best: Best
  snapshots: number
  newest: ReadingOfCapture
}

interface Best {
  rank: number
  date: string
  capture: DayCapture
}

export interface History {
  from: string
  to: string
  /** Best rank first. */
  series: ChartSeries[]
  chartsObserved: number
  /** The first day from which on no capture was removed by retention; null where that is no day of the window. */
  keptFrom: string | null
}

export interface HistoryQuery {
  storeId: string
  country: string
  only: Partial<Omit<ChartIdentity, 'country'>>
  from?: string
  to?: string
}

/** Days in the window when no start is given. */
const defaultDays = 90
const dayMs = 86_400_000

/** Daily ranks of one app in every chart of a storefront that showed it within a window. */
export async function chartHistory(db: Database, query: HistoryQuery, today: Date): Promise<History> {
  const charts = await chartsOf(db, query.country, query.only)
  const { from, to } = await windowOf(db, query, charts, today)
  const ids = charts.map((chart) => chart.chartId)
  const [ranks, { observed, wholeSince }] = await Promise.all([
    ranksOfApp(
      db,
      query.storeId,
      ids,
      new Date(Date.parse(from) - 2 * dayMs),
      new Date(Date.parse(to) + 3 * dayMs),
    ),
    storedWindow(db, ids, from, to),
  ])
  const ranked = ranks.map((list) => list.chartId)
  const shown = charts.filter((chart) => ranked.includes(chart.chartId))
  const [captured, suspect] = await Promise.all([
    seenCapturesOf(db, ranked, from, to),
    suspectDays(db, query.country, shown.map(chartSubject), from, to),
  ])
  const captures = new Map(captured.map((list) => [list.chartId, list.captures]))
  const readings = await readingsOfCaptures(
    db,
    captured.map((list) => ({ chartId: list.chartId, capturedAt: list.captures.at(-1)?.[0] ?? 0 })),
  )
  const found = new Map(ranks.map((list) => [list.chartId, list.ranks]))
  const newest = new Map(readings.map((reading) => [reading.chartId, reading]))
  const dates = datesBetween(from, to)
  const series = charts.flatMap((chart) => {
    const reading = newest.get(chart.chartId)
    const ranksHere = found.get(chart.chartId)
    return reading && ranksHere
      ? seriesOf(
          chart,
          reading,
          captures.get(chart.chartId) ?? [],
          ranksHere,
          dates,
          suspect.get(chartSubject(chart)) ?? new Set(),
        )
      : []
  })
  return {
    from,
    to,
    series: series.sort(
      (one, other) =>
        one.best.rank - other.best.rank || charts.indexOf(one.chart) - charts.indexOf(other.chart),
    ),
    chartsObserved: observed,
    keptFrom: wholeSince !== null && wholeSince > from ? wholeSince : null,
  }
}

/** The requested window; by default it ends on the day of the newest snapshot and is 90 days long. */
async function windowOf(
  db: Database,
  query: HistoryQuery,
  charts: readonly ChartRow[],
  today: Date,
): Promise<{ from: string; to: string }> {
  const to = query.to ?? (await newestDay(db, charts)) ?? storefrontDay(query.country, today)
  const from = query.from ?? new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString().slice(0, 10)
  return { from, to: from > to ? from : to }
}

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) {
    dates.push(new Date(time).toISOString().slice(0, 10))
  }
  return dates
}

/** The series of one chart; undefined when no capture in the window showed the app. */
function seriesOf(
  chart: ChartRow,
  newest: ReadingOfCapture,
  captures: readonly SeenCapture[],
  ranks: RankList['ranks'],
  dates: readonly string[],
  suspect: ReadonlySet<string>,
): ChartSeries[] {
  const rankAt = new Map(ranks)
  const lastOfDay = new Map(
    captures.map(([capturedAt, day, returned, readAs]) => [day, { capturedAt, returned, readAs }]),
  )
  const days = dates.map((date): HistoryDay => {
    const last = lastOfDay.get(date)
    return last
      ? { date, rank: rankAt.get(last.capturedAt) ?? null, depth: last.returned, capture: last, suspect: false }
      : { date, rank: null, depth: null, capture: null, suspect: suspect.has(date) }
  })
  const best = bestOf(captures, rankAt)
  return best ? [{ chart, days, best, snapshots: captures.length, newest }] : []
}

function bestOf(captures: readonly SeenCapture[], rankAt: ReadonlyMap<number, number>): Best | undefined {
  let best: Best | undefined
  for (const [capturedAt, date, , readAs] of captures) {
    const rank = rankAt.get(capturedAt)
    if (rank !== undefined && (!best || rank < best.rank))
      best = { rank, date, capture: { capturedAt, readAs } }
  }
  return best
}
