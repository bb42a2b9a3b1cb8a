import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { monthOfInstant } from '../../storage/months.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { everInRankList } from './rank-list-queries.ts'

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
export function storedChartsOf(
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
export function chartsOfAllStorefronts(
  db: Database,
  limit: number,
): Promise<(ChartRow & { country: string })[]> {
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
  const charts = await storedChartsOf(db, country)
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
export async function snapshotRangesOf(
  db: Database,
  identities: readonly ChartIdentity[],
): Promise<Map<string, { oldest: Date; newest: Date }>> {
  const found = await rows(
    db,
    sql<{ name: string; oldest: Date; newest: Date }>`
      with known as materialized (
        select c.* from charts c join json_to_recordset(${JSON.stringify(identities)}::json) as sent(
          country text, kind text, "categoryId" integer, device text) using (country, kind, device)
        where c.category_id = sent."categoryId"
      ), oldest as materialized (
        select chart_id, min(captured_at) as captured_at from chart_snapshots
        where chart_id in (select chart_id from known) group by chart_id
      )
      select concat_ws(' ', country, kind, category_id, device) as name, newest_captured_at as newest,
        oldest.captured_at as oldest
      from known left join oldest using (chart_id)`,
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
      with shown as materialized (
        select * from chart_snapshots
        where chart_id = ${chartId} and captured_at <= (
          select max(captured_at) from chart_snapshots
          where chart_id = ${chartId} and (${day ?? null}::date is null or day = ${day ?? null}::date))
        order by captured_at desc
        limit 2
      )
      select ${snapshotColumns}
      from shown s join readings r using (reading_id)
      order by s.captured_at desc`,
  )
}

/** The last snapshot of a chart at or before a storefront date or an instant, and before another snapshot. */
export function snapshotUntil(
  db: Database,
  chartId: number,
  until: string,
  before: Date,
): Promise<SnapshotRow | undefined> {
  const then = until.includes('T') ? sql`captured_at <= ${until}::timestamptz` : sql`day <= ${until}::date`
  return firstRow(
    db,
    sql<SnapshotRow>`
      with shown as materialized (
        select * from chart_snapshots
        where chart_id = ${chartId} and captured_at < ${before} and ${then}
        order by captured_at desc
        limit 1
      )
      select ${snapshotColumns}
      from shown s join readings r using (reading_id)`,
  )
}

/** The first places of a snapshot. */
interface SnapshotOfDay extends Pick<SnapshotRow, 'day' | 'capturedAt' | 'returned' | 'storeIds'> {
  /** For `provenanceOfCapture`. */
  readAs: string
}

/**
 * The last snapshot of each day that has one, oldest first, with its first places: of so many days that end with that of the newest
 * snapshot, or with another.
 */
export async function lastSnapshotsOfDays(
  db: Database,
  { chartId, newestCapturedAt }: ChartRow,
  days: number,
  places: number,
  until?: string,
): Promise<SnapshotOfDay[]> {
  const end = until === undefined ? newestCapturedAt.getTime() : Date.parse(until)
  // An instant is of the day before or after in some storefronts, and a file that names a date belongs to that date.
  const [from, before] = [new Date(end - (days + 3) * dayMs), new Date(end + 3 * dayMs)]
  const found = await rows(
    db,
    sql<SnapshotOfDay>`
      select distinct on (s.day) s.day::text as day, s.captured_at as "capturedAt", s.returned, s.read_as as "readAs",
        to_json((s.store_ids[1:${places}::int])::text[]) as "storeIds"
      from chart_snapshots s
      where s.chart_id = ${chartId} and s.captured_at >= ${from} and s.captured_at < ${before}
        and (${until ?? null}::date is null or s.day <= ${until ?? null}::date)
      order by s.day, s.captured_at desc`,
  )
  const last = Date.parse(until ?? found.at(-1)?.day ?? '')
  return found.filter(({ day }) => Date.parse(day) > last - days * dayMs)
}

const dayMs = 86_400_000

/** The nearest days before and after a day that have a snapshot. */
export async function nearestSnapshotDays(
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

/** Whether a month of ranks, of `chart_months`, has one before an instant: the oldest comes first. */
export const hasRanksBefore = (instant: RawBuilder<unknown>) =>
  sql`month <= ${monthOfInstant(instant)} and captured_at[1] < ${instant}`

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
      select distinct store_id::text as "storeId"
      from chart_months
      where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
        and chart_id = ${chartId} and ${hasRanksBefore(sql`${before}::timestamptz`)}`,
  )
  return new Set(found.map((row) => row.storeId))
}

/**
 * Whether a stored chart of any storefront ever showed the app, or a list had its rank. Such an app may have no record,
 * because some charts carry ids only.
 */
export async function everCharted(db: Database, storeId: string): Promise<boolean> {
  const found = await firstRow(db, sql`select from chart_ranks where store_id = ${bigintId(storeId)} limit 1`)
  return found !== undefined || (await everInRankList(db, storeId))
}

/** A chart and the id its snapshots refer to. */
type ChartToScan = ChartIdentity & { chartId: number }

/** All charts, by storefront, category, kind and device. */
export function chartsToScan(db: Database): Promise<ChartToScan[]> {
  return rows(
    db,
    sql<ChartToScan>`
      select chart_id as "chartId", country, kind, category_id as "categoryId", device from charts
      order by country, category_id, kind, device`,
  )
}

/** A snapshot as it is exported. */
interface ScannedSnapshot {
  capturedAt: Date
  /** Storefront date. */
  day: string
  requested: number | null
  storeIds: (string | null)[]
}

/** The snapshots of a chart after a moment, oldest first. */
export function snapshotsAfter(
  db: Database,
  chartId: number,
  after: Date | undefined,
  limit: number,
): Promise<ScannedSnapshot[]> {
  return rows(
    db,
    sql<ScannedSnapshot>`
      select captured_at as "capturedAt", day::text as day, requested, to_json(store_ids::text[]) as "storeIds"
      from chart_snapshots
      where chart_id = ${chartId} and captured_at > coalesce(${after ?? null}::timestamptz, '-infinity')
      order by captured_at limit ${limit}`,
  )
}
