import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import type { NamedReading } from '../evidence/reading.ts'

export interface ChartRow {
  chartId: number
  kind: ChartKind
  categoryId: number
  device: Device
  newestCapturedAt: Date
}

export interface SnapshotRow {
  chartId: number
  /** Storefront date, `YYYY-MM-DD`. */
  day: string
  capturedAt: Date
  returned: number
  requested: number | null
  storeIds: (string | null)[]
  readingId: string
  source: SourceName
  origin: Origin
  timeBasis: TimeBasis
}

/** Charts of a storefront, with optional filters; overall charts before those of a category. */
export function chartsOf(
  db: Database,
  country: string,
  only: Partial<Omit<ChartIdentity, 'country'>> = {},
): Promise<ChartRow[]> {
  return rows(
    db,
    sql<ChartRow>`
      select chart_id as "chartId", kind, category_id as "categoryId", device, newest_captured_at as "newestCapturedAt"
      from charts
      where country = ${country}
        and (${only.kind ?? null}::text is null or kind = ${only.kind ?? null})
        and (${only.categoryId ?? null}::int is null or category_id = ${only.categoryId ?? null})
        and (${only.device ?? null}::text is null or device = ${only.device ?? null})
      order by category_id, kind, device`,
  )
}

/** Charts of all storefronts, the newest captured first. */
export function chartsAnywhere(db: Database, limit: number): Promise<(ChartRow & { country: string })[]> {
  return rows(
    db,
    sql<ChartRow & { country: string }>`
      select chart_id as "chartId", country, kind, category_id as "categoryId", device,
        newest_captured_at as "newestCapturedAt"
      from charts
      order by newest_captured_at desc, country, category_id, kind, device
      limit ${limit}`,
  )
}

/** Charts of a storefront restricted to apps of any of these genres; all charts when no genres are given. */
export async function chartsOfGenres(
  db: Database,
  country: string,
  genres: readonly number[] | undefined,
): Promise<ChartRow[]> {
  const charts = await chartsOf(db, country)
  return genres ? charts.filter(({ categoryId }) => genres.includes(categoryId)) : charts
}

/** Apps in the newest snapshot of any chart of a storefront, ordered by id. */
export async function chartingApps(db: Database, country: string): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct place.store_id::text as "storeId"
      from charts c
      join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
      cross join lateral unnest(s.store_ids) as place(store_id)
      where c.country = ${country} and place.store_id is not null
      order by 1`,
  )
  return found.map((row) => row.storeId)
}

/** The first and the last snapshot of each of these charts that has any, by chart key. */
export async function knownCharts(
  db: Database,
  identities: readonly ChartIdentity[],
): Promise<Map<string, { oldest: Date; newest: Date }>> {
  const found = await rows(
    db,
    sql<{ name: string; oldest: Date; newest: Date }>`
      select concat_ws(' ', country, kind, category_id, device) as name, newest_captured_at as newest,
        (select min(captured_at) from chart_snapshots s where s.chart_id = c.chart_id) as oldest
      from charts c join json_to_recordset(${JSON.stringify(identities)}::json) as sent(
        country text, kind text, "categoryId" integer, device text) using (country, kind, device)
      where c.category_id = sent."categoryId"`,
  )
  return new Map(found.map(({ name, ...captures }) => [name, captures]))
}

const snapshotColumns = sql`
  s.chart_id as "chartId", s.day::text as day, s.captured_at as "capturedAt", s.returned, s.requested,
  to_json(s.store_ids::text[]) as "storeIds", s.reading_id as "readingId", r.source, r.origin,
  r.time_basis as "timeBasis"`

/** The newest snapshot of a chart, or the last one of a day, with its predecessor. */
export function snapshotWithPrevious(
  db: Database,
  chartId: number,
  day: string | undefined,
): Promise<SnapshotRow[]> {
  return rows(
    db,
    sql<SnapshotRow>`
      select ${snapshotColumns}
      from chart_snapshots s join readings r using (reading_id)
      where s.chart_id = ${chartId} and s.captured_at <= (
        select max(captured_at) from chart_snapshots
        where chart_id = ${chartId} and (${day ?? null}::date is null or day = ${day ?? null}::date))
      order by s.captured_at desc
      limit 2`,
  )
}

/** The nearest days before and after a day that have a snapshot. */
export async function nearestDays(
  db: Database,
  chartId: number,
  day: string,
): Promise<{ before: string | null; after: string | null }> {
  const found = await firstRow(
    db,
    sql<{ before: string | null; after: string | null }>`
      select max(day) filter (where day < ${day}::date)::text as before,
        min(day) filter (where day > ${day}::date)::text as after
      from chart_snapshots
      where chart_id = ${chartId}`,
  )
  return found ?? { before: null, after: null }
}

/** Which of these apps appeared in a snapshot of the chart before an instant. */
export async function seenInChartBefore(
  db: Database,
  chartId: number,
  storeIds: readonly string[],
  before: Date,
): Promise<Set<string>> {
  if (storeIds.length === 0) return new Set()
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select asked.store_id::text as "storeId"
      from (select value::bigint as store_id from json_array_elements_text(${JSON.stringify(storeIds)}::json)) asked
      where exists (
        select 1 from chart_ranks k
        where k.store_id = asked.store_id and k.chart_id = ${chartId} and k.captured_at < ${before})`,
  )
  return new Set(found.map((row) => row.storeId))
}

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
      group by chart_id`,
  )
}

/** Time in milliseconds, storefront date and places returned. */
type Capture = [capturedAt: number, day: string, returned: number]

/** A `Capture` and how it was obtained, for `readAsOf`. */
export type SeenCapture = [...Capture, readAs: string]

export interface CaptureList<C = Capture> {
  chartId: number
  /** Oldest first. */
  captures: C[]
}

/** How a capture was obtained, parsed from its `readAs`. */
export function readAsOf(readAs: string): Omit<NamedReading, 'readingId'> {
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
export function seenCapturesOf(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<CaptureList<SeenCapture>[]> {
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

/**
 * Whether a stored chart of any storefront ever showed the app. Such an app may have no record, because some charts carry
 * ids only.
 */
export async function everCharted(db: Database, storeId: string): Promise<boolean> {
  const found = await firstRow(db, sql`select from chart_ranks where store_id = ${bigintId(storeId)} limit 1`)
  return found !== undefined
}

/** Which of these charts have a capture between two days, both included. */
export async function chartsObserved(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ count: number }>`
      select count(*)::int as count
      from unnest(${[...chartIds]}::int[]) as asked(chart_id)
      where exists (
        select 1 from chart_snapshots s
        where s.chart_id = asked.chart_id and s.day between ${from}::date and ${to}::date
          and s.captured_at >= ${from}::date - interval '2 days' and s.captured_at < ${to}::date + interval '3 days')`,
  )
  return found?.count ?? 0
}

export interface ReadingOfCapture {
  chartId: number
  capturedAt: Date
  readingId: string
  source: SourceName
  origin: Origin
  timeBasis: TimeBasis
}

/** The reading behind the newest capture of each chart between two days, both included; unordered. */
export function newestReadings(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<ReadingOfCapture[]> {
  return rows(
    db,
    sql<ReadingOfCapture>`
      select s.chart_id as "chartId", s.captured_at as "capturedAt", s.reading_id as "readingId", r.source, r.origin,
        r.time_basis as "timeBasis"
      from unnest(${[...chartIds]}::int[]) as asked(chart_id)
      cross join lateral (
        select * from chart_snapshots
        where chart_id = asked.chart_id and day between ${from}::date and ${to}::date
          and captured_at >= ${from}::date - interval '2 days' and captured_at < ${to}::date + interval '3 days'
        order by captured_at desc limit 1
      ) s
      join readings r using (reading_id)`,
  )
}
