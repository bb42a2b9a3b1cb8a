import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { Origin, SourceName, TimeBasis } from '../evidence/reading.ts'
import type { ChartIdentity, ChartKind, Device } from './chart-reading.ts'

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

/** Charts of a storefront, filtered where a filter is given, overall charts before those of a category. */
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

const snapshotColumns = sql`
  s.chart_id as "chartId", s.day::text as day, s.captured_at as "capturedAt", s.returned, s.requested,
  to_json(s.store_ids::text[]) as "storeIds", s.reading_id as "readingId", r.source, r.origin,
  r.time_basis as "timeBasis"`

/** The newest snapshot of a chart, or the last one of a day, with the one before it. */
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

/** The nearest days before and after one that have a snapshot. */
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

/** Which of these apps any snapshot of the chart showed before an instant. */
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

export interface RankRow {
  chartId: number
  /** Milliseconds: a year of dates is read faster as numbers. */
  capturedAt: number
  rank: number
}

/** Ranks of one app in some charts, oldest first. */
export function ranksOfApp(
  db: Database,
  storeId: string,
  chartIds: readonly number[],
  from: Date,
  before: Date,
): Promise<RankRow[]> {
  return rows(
    db,
    sql<RankRow>`
      select chart_id as "chartId", (extract(epoch from captured_at) * 1000)::double precision as "capturedAt", rank
      from chart_ranks
      where store_id = ${bigintId(storeId)} and chart_id = any(${[...chartIds]}::int[])
        and captured_at >= ${from} and captured_at < ${before}
      order by chart_id, captured_at`,
  )
}

export interface CaptureRow {
  chartId: number
  /** Milliseconds. */
  capturedAt: number
  day: string
  returned: number
}

/** Captures of some charts between two days, both included, oldest first; answered from the index alone. */
export function capturesOf(
  db: Database,
  chartIds: readonly number[],
  from: string,
  to: string,
): Promise<CaptureRow[]> {
  return rows(
    db,
    sql<CaptureRow>`
      select chart_id as "chartId", (extract(epoch from captured_at) * 1000)::double precision as "capturedAt",
        day::text as day, returned
      from chart_snapshots
      where chart_id = any(${[...chartIds]}::int[]) and day between ${from}::date and ${to}::date
        and captured_at >= ${from}::date - interval '2 days' and captured_at < ${to}::date + interval '3 days'
      order by chart_id, captured_at`,
  )
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

/** The reading behind the newest capture of each chart between two days, both included, in no order. */
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

/** The chart's id, registering it when it is new. */
export async function ensureCharts(
  db: Database,
  identities: readonly (ChartIdentity & { newest: Date })[],
): Promise<(ChartIdentity & { chartId: number })[]> {
  return rows(
    db,
    sql<ChartIdentity & { chartId: number }>`
      insert into charts (country, kind, category_id, device, newest_captured_at)
      select country, kind, "categoryId", device, newest
      from json_to_recordset(${JSON.stringify(identities)}::json) as sent(
        country text, kind text, "categoryId" integer, device text, newest timestamptz)
      on conflict (country, kind, category_id, device) do update
        set newest_captured_at = greatest(charts.newest_captured_at, excluded.newest_captured_at)
      returning chart_id as "chartId", country, kind, category_id as "categoryId", device`,
  )
}

export interface NewSnapshot {
  chartId: number
  capturedAt: Date
  day: string
  returned: number
  requested: number | null
  storeIds: (string | null)[]
  readingId: string
}

/** The places stored of some captures; those that are not stored are left out. */
export function storedPlaces(
  db: Database,
  captures: readonly { chartId: number; capturedAt: Date }[],
): Promise<Pick<NewSnapshot, 'chartId' | 'capturedAt' | 'storeIds'>[]> {
  return rows(
    db,
    sql<Pick<NewSnapshot, 'chartId' | 'capturedAt' | 'storeIds'>>`
      select s.chart_id as "chartId", s.captured_at as "capturedAt", to_json(s.store_ids::text[]) as "storeIds"
      from json_to_recordset(${JSON.stringify(captures)}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      join chart_snapshots s on s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"`,
  )
}

/** Writes snapshots and their ranks; one captured at the same instant is replaced. */
export async function replaceSnapshots(db: Database, snapshots: readonly NewSnapshot[]): Promise<void> {
  const keys = JSON.stringify(snapshots.map(({ chartId, capturedAt }) => ({ chartId, capturedAt })))
  const replaced = await rows(
    db,
    sql<{ chartId: number }>`
      delete from chart_snapshots s
      using json_to_recordset(${keys}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      where s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"
      returning s.chart_id as "chartId"`,
  )
  if (replaced.length > 0) {
    await sql`
      delete from chart_ranks k
      using json_to_recordset(${keys}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      where k.chart_id = sent."chartId" and k.captured_at = sent."capturedAt"`.execute(db)
  }
  await sql`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(snapshots)}::json) as sent("chartId" integer,
        "capturedAt" timestamptz, day date, returned smallint, requested smallint, "storeIds" bigint[], "readingId" uuid)
    ), snapshots as (
      insert into chart_snapshots (chart_id, captured_at, day, returned, requested, store_ids, reading_id)
      select "chartId", "capturedAt", day, returned, requested, "storeIds", "readingId" from sent
    )
    insert into chart_ranks (store_id, captured_at, chart_id, rank)
    select place.store_id, "capturedAt", "chartId", place.rank
    from sent, unnest("storeIds") with ordinality as place(store_id, rank)
    where place.store_id is not null`.execute(db)
}

/** Months, as `YYYY-MM`, whose ranks have a partition. */
export async function rankMonths(db: Database): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ name: string }>`
      select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'chart_ranks'::regclass`,
  )
  return new Set(found.map(({ name }) => name.replace(/^chart_ranks_(\d{4})_(\d{2})$/, '$1-$2')))
}

/** Makes the partition of a month, `YYYY-MM`. Two processes may ask at once; the second waits and finds it made. */
export async function makeRankMonth(db: Database, month: string): Promise<void> {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = `${number === 12 ? year + 1 : year}-${String((number % 12) + 1).padStart(2, '0')}-01`
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope chart months'))`.execute(db)
  await sql`
    create table if not exists ${sql.table(`chart_ranks_${month.replace('-', '_')}`)} partition of chart_ranks
    for values from (${sql.lit(`${month}-01 00:00:00+00`)}) to (${sql.lit(`${next} 00:00:00+00`)})`.execute(db)
}

/** Empties everything that is derived about charts; readings stay. */
export async function forgetCharts(db: Database): Promise<void> {
  for (const table of ['chart_ranks', 'chart_snapshots', 'charts'])
    await sql`delete from ${sql.table(table)}`.execute(db)
}
