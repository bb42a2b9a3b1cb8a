import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { monthOfInstant } from '../../storage/months.ts'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import type { NamedReading } from '../evidence/reading.ts'
import { firstCompleteDaySql } from '../evidence/removed-months.ts'

/** The ranks of one app in one chart, as arrays: a year of single rows is much slower to read. */
export interface RankList {
  chartId: number
  /** Time of the capture in milliseconds, and the rank; unordered. */
  ranks: [capturedAt: number, rank: number][]
}

/** Ranks of one app, one list for each of the given charts that showed it. */
export function ranksOfApp(
  db: Database,
  storeId: string,
  chartIds: readonly number[],
  from: Date,
  before: Date,
): Promise<RankList[]> {
  return rows(
    db,
    sql<RankList>`
      select chart_id as "chartId",
        json_agg(json_build_array((extract(epoch from captured_at) * 1000)::bigint, rank)) as ranks
      from chart_ranks
      where store_id = ${bigintId(storeId)} and chart_id = any(${[...chartIds]}::int[])
        and captured_at >= ${from} and captured_at < ${before}
        and month between ${monthOfInstant(sql`${from}::timestamptz`)} and ${monthOfInstant(sql`${before}::timestamptz`)}
      group by chart_id`,
  )
}

/** Time in milliseconds, storefront date and places returned. */
type Capture = [capturedAt: number, day: string, returned: number]

/** A `Capture` and how it was obtained, for `provenanceOfCapture`. */
export type CaptureWithProvenance = [...Capture, readAs: string]

export interface CaptureList<C = Capture> {
  chartId: number
  /** Oldest first. */
  captures: C[]
}

/** How a capture was obtained, parsed from its `readAs`. */
export function provenanceOfCapture(readAs: string): Omit<NamedReading, 'readingId'> {
  const [source, origin, timeBasis] = readAs.split(' ')
  return { source: source as SourceName, origin: origin as Origin, timeBasis: timeBasis as TimeBasis }
}

/** Captures of some charts between two days, both included, by an index-only scan. */
export function capturesOf(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<CaptureList[]> {
  return captureLists(db, sql`captured_at_ms, day, returned`, chartIds, from, to)
}

/** As `capturesOf`, with how each was obtained. */
export function capturesWithProvenance(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<CaptureList<CaptureWithProvenance>[]> {
  return captureLists(db, sql`captured_at_ms, day, returned, read_as`, chartIds, from, to)
}

function captureLists<C>(
  db: Database,
  columns: RawBuilder<unknown>,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<CaptureList<C>[]> {
  return rows(
    db,
    sql<CaptureList<C>>`
      select chart_id as "chartId", json_agg(json_build_array(${columns}) order by captured_at) as captures
      from chart_snapshots
      cross join lateral (select (extract(epoch from captured_at) * 1000)::bigint as captured_at_ms) in_ms
      where chart_id = any(${[...chartIds]}::int[]) and day between ${from}::date and ${to}::date
        and captured_at >= ${from}::date - interval '2 days' and captured_at < ${to}::date + interval '3 days'
      group by chart_id`,
  )
}

/** Stored data of some charts between two days. */
interface StoredWindow {
  /** Number of these charts with a capture. */
  observed: number
  /** The first day from which on no capture of any chart was removed; null where nothing was removed. */
  wholeSince: string | null
}

/** Stored data of these charts between two days, both included. */
export async function storedChartDataBetween(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<StoredWindow> {
  const found = await firstRow(
    db,
    sql<StoredWindow>`
      select count(*)::int as observed, ${firstCompleteDaySql(['chart-ranks'])} as "wholeSince" from charts
      where chart_id = any(${[...chartIds]}::int[]) and chart_id in (
        select chart_id from chart_snapshots
        where chart_id = any(${[...chartIds]}::int[]) and day between ${from}::date and ${to}::date
          and captured_at >= ${from}::date - interval '2 days' and captured_at < ${to}::date + interval '3 days')`,
  )
  return found ?? { observed: 0, wholeSince: null }
}

/**
 * The day of the newest capture of these charts, `YYYY-MM-DD`; undefined without charts. A file that names only a date belongs to that
 * date, whatever day its instant is in the storefront.
 */
export async function newestDay(
  db: Database,
  charts: readonly { chartId: number; newestCapturedAt: Date }[],
): Promise<string | undefined> {
  const newest = Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime()))
  const ids = charts
    .filter((chart) => chart.newestCapturedAt.getTime() === newest)
    .map(({ chartId }) => chartId)
  if (ids.length === 0) return undefined
  const found = await firstRow(
    db,
    sql<{ day: string }>`
      select max(day)::text as day from chart_snapshots
      where chart_id = any(${ids}::int[]) and captured_at = ${new Date(newest)}`,
  )
  return found?.day
}

export interface ReadingOfCapture {
  chartId: number
  capturedAt: Date
  readingId: string
  source: SourceName
  origin: Origin
  timeBasis: TimeBasis
}

/** The readings behind some captures; unordered. */
export function readingsOfCaptures(
  db: Database,
  captures: readonly { chartId: number; capturedAt: number }[],
): Promise<ReadingOfCapture[]> {
  const asked = captures.map(({ chartId, capturedAt }) => ({
    chartId,
    capturedAt: new Date(capturedAt).toISOString(),
  }))
  return rows(
    db,
    sql<ReadingOfCapture>`
      with shown as materialized (
        select s.chart_id, s.captured_at, s.reading_id
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked("chartId" integer, "capturedAt" timestamptz)
        join chart_snapshots s on s.chart_id = asked."chartId" and s.captured_at = asked."capturedAt"
      )
      select chart_id as "chartId", captured_at as "capturedAt", reading_id as "readingId", r.source, r.origin,
        r.time_basis as "timeBasis"
      from shown join readings r using (reading_id)`,
  )
}
