import type { Database } from '../../storage/database.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { chartSubject, suspectDays } from '../collecting/suspects.ts'
import {
  type CaptureWithProvenance,
  capturesWithProvenance,
  newestDay,
  provenanceOfCapture,
  type RankList,
  type ReadingOfCapture,
  ranksOfApp,
  readingsOfCaptures,
  storedChartDataBetween,
} from './history-queries.ts'
import { type ChartRow, storedChartsOf } from './queries.ts'
import {
  daysOfRankLists,
  newestRankListDay,
  type RankListEntryOfApp,
  rankListEntriesOfApp,
} from './rank-list-queries.ts'

/** One day of a series: a rank, absence from `depth` places, or why neither is known. */
export type HistoryDay = { date: string } & (KnownDay | UnknownDay)

/** A day with a snapshot, or with a list with gaps that names the app: such a list gives its rank without a depth. */
export type KnownDay = {
  capture: DayCapture
  /** Whether the value comes from a snapshot rather than a list. */
  inSnapshot: boolean
} & ({ rank: number; depth: number | null } | { rank: null; depth: number })

interface UnknownDay {
  capture: null
  /**
   * `suspect-empty`: an empty answer where there were apps before. `partial-snapshot`: lists have ranks of other apps only.
   */
  missing: 'no-snapshot' | 'suspect-empty' | 'partial-snapshot'
}

/** The capture or list behind a day, and how it was obtained. */
export interface DayCapture {
  /** Milliseconds. */
  capturedAt: number
  /** Parsed by `provenanceOfCapture`. */
  readAs: string
}

export interface ChartSeries {
  chart: ChartIdentity
  /** Every day of the window, oldest first. */
  days: HistoryDay[]
  best: Best
  snapshots: number
  /** The reading of the newest snapshot; without any, of the newest list that names the app. */
  newest: Omit<ReadingOfCapture, 'chartId'>
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
  /** Number of charts with a snapshot in the window, or with a list that names the app. */
  chartsObserved: number
  /** The first day from which on retention removed no capture; null where it is not within the window. */
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
  const { storeId, country } = query
  const rows = await storedChartsOf(db, country, query.only)
  const { from, to } = await windowOf(db, query, rows, today)
  const ids = rows.map((chart) => chart.chartId)
  const [ranks, told, { observed, wholeSince }] = await Promise.all([
    ranksOfApp(db, storeId, ids, new Date(Date.parse(from) - 2 * dayMs), new Date(Date.parse(to) + 3 * dayMs)),
    rankListEntriesOfApp(db, storeId, query, from, to),
    storedChartDataBetween(db, ids, from, to),
  ])
  const toldIn = Map.groupBy(told, chartName)
  const captured = new Map(rows.map((chart) => [chartName({ ...chart, country }), chart.chartId]))
  const ranked = new Set(ranks.map((list) => list.chartId))
  const charts = [
    ...rows.filter(({ chartId }) => ranked.has(chartId)).map((chart) => identityOf({ ...chart, country })),
    ...told.map(identityOf),
  ]
  const shown = [...new Map(charts.map((chart) => [chartName(chart), chart])).values()].sort(byChart)
  const shownIds = shown.flatMap((chart) => captured.get(chartName(chart)) ?? [])
  const [seen, suspect, partial] = await Promise.all([
    capturesWithProvenance(db, shownIds, from, to),
    suspectDays(db, country, shown.map(chartSubject), from, to),
    daysOfRankLists(db, shown, from, to),
  ])
  const captures = new Map(seen.map((list) => [list.chartId, list.captures]))
  const readings = await readingsOfCaptures(
    db,
    seen.map((list) => ({ chartId: list.chartId, capturedAt: list.captures.at(-1)?.[0] ?? 0 })),
  )
  const rankLists = new Map(ranks.map((list) => [list.chartId, list.ranks]))
  const newest = new Map(readings.map((reading) => [reading.chartId, reading]))
  const dates = datesBetween(from, to)
  const series = shown.flatMap((chart) => {
    const name = chartName(chart)
    const chartId = captured.get(name) ?? 0
    return seriesOf(chart, newest.get(chartId), dates, {
      captures: captures.get(chartId) ?? [],
      ranks: rankLists.get(chartId) ?? [],
      told: toldIn.get(name) ?? [],
      suspect: suspect.get(chartSubject(chart)) ?? new Set(),
      partial: partial.get(name) ?? new Set(),
    })
  })
  const uncaptured = series.filter(({ snapshots }) => snapshots === 0)
  return {
    from,
    to,
    series: series.sort((one, other) => one.best.rank - other.best.rank || byChart(one.chart, other.chart)),
    chartsObserved: observed + uncaptured.length,
    keptFrom: wholeSince !== null && wholeSince > from ? wholeSince : null,
  }
}

const identityOf = ({ kind, categoryId, device, country }: ChartIdentity): ChartIdentity => ({
  country,
  kind,
  categoryId,
  device,
})

const byChart = (one: ChartIdentity, other: ChartIdentity): number =>
  one.categoryId - other.categoryId || (chartName(one) < chartName(other) ? -1 : 1)

/** The requested window; by default it ends on the day of the newest snapshot or list, and is 90 days long. */
async function windowOf(
  db: Database,
  query: HistoryQuery,
  charts: readonly ChartRow[],
  today: Date,
): Promise<{ from: string; to: string }> {
  const to = query.to ?? (await newestDayOf(db, query, charts)) ?? storefrontDay(query.country, today)
  const from = query.from ?? new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString().slice(0, 10)
  return { from, to: from > to ? from : to }
}

async function newestDayOf(
  db: Database,
  query: HistoryQuery,
  charts: readonly ChartRow[],
): Promise<string | undefined> {
  const days = await Promise.all([newestDay(db, charts), newestRankListDay(db, query.storeId, query)])
  return days
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
}

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) {
    dates.push(new Date(time).toISOString().slice(0, 10))
  }
  return dates
}

/** Stored data of one chart within a window, without its readings. */
interface KnownOfChart {
  captures: readonly CaptureWithProvenance[]
  ranks: RankList['ranks']
  /** Oldest first. */
  told: readonly RankListEntryOfApp[]
  /** Days with a suspect empty answer. */
  suspect: ReadonlySet<string>
  /** Days on which lists have the rank of any app. */
  partial: ReadonlySet<string>
}

/** The series of one chart; empty when no day of the window shows the app. */
function seriesOf(
  chart: ChartIdentity,
  newest: ReadingOfCapture | undefined,
  dates: readonly string[],
  { captures, ranks, told, suspect, partial }: KnownOfChart,
): ChartSeries[] {
  const rankAt = new Map(ranks)
  // The last value of a day counts; snapshots take precedence over lists.
  const known = new Map<string, KnownDay>(told.map((one) => [one.day, dayFromList(one)]))
  for (const [capturedAt, day, returned, readAs] of captures)
    known.set(day, {
      capture: { capturedAt, readAs },
      inSnapshot: true,
      rank: rankAt.get(capturedAt) ?? null,
      depth: returned,
    })
  const reading = newest ?? told.map(readingOf).at(-1)
  const missing = (date: string) =>
    partial.has(date) ? 'partial-snapshot' : suspect.has(date) ? 'suspect-empty' : 'no-snapshot'
  const days = dates.map((date): HistoryDay => {
    const day = known.get(date)
    return day ? { date, ...day } : { date, capture: null, missing: missing(date) }
  })
  const best = bestOf(days)
  if (!best || !reading) return []
  return [{ chart, days, best, snapshots: captures.length, newest: reading }]
}

const dayFromList = ({ capturedAt, readAs, rank, depth }: RankListEntryOfApp): KnownDay => ({
  capture: { capturedAt: capturedAt.getTime(), readAs },
  inSnapshot: false,
  ...(rank === null ? { rank, depth } : { rank, depth }),
})

const readingOf = ({ readingId, readAs, capturedAt }: RankListEntryOfApp) => ({
  readingId,
  capturedAt,
  ...provenanceOfCapture(readAs),
})

/** The best rank of the days; of equal ones the earliest. */
function bestOf(days: readonly HistoryDay[]): Best | undefined {
  let best: Best | undefined
  for (const { date, capture, ...day } of days)
    if (capture && 'rank' in day && day.rank !== null && (!best || day.rank < best.rank))
      best = { rank: day.rank, date, capture }
  return best
}
