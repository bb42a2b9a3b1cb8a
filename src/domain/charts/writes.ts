import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { Capture } from './capture.ts'
import type { EntryMasks } from './sightings-in-charts.ts'

/** The chart's id; registers the chart when it is new. */
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

/** A snapshot as it is stored. */
export interface Snapshot extends Capture, EntryMasks {
  chartId: number
  capturedAt: Date
}

/** The stored form of some captures; captures that are not stored are left out. */
export function storedSnapshots(
  db: Database,
  captures: readonly { chartId: number; capturedAt: Date }[],
): Promise<Snapshot[]> {
  const keys = captures.map(({ chartId, capturedAt }) => ({ chartId, capturedAt }))
  return rows(
    db,
    sql<Snapshot>`
      select s.chart_id as "chartId", s.captured_at as "capturedAt", s.reading_id as "readingId",
        s.reading_key as "readingKey", s.read_as as "readAs", s.day::text as day, s.requested, to_json(s.store_ids::text[]) as "storeIds",
        s.in_parts as "inParts", s.beaten, s.stated, s.hinted, to_json(coalesce(s.apart, '{}')::text[]) as apart
      from (select distinct * from json_to_recordset(${JSON.stringify(keys)}::json)
        as sent("chartId" integer, "capturedAt" timestamptz)) sent
      join chart_snapshots s on s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"`,
  )
}

/** Writes snapshots and their ranks; replaces those captured at the same instant. */
export async function replaceSnapshots(db: Database, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return
  const keys = JSON.stringify(snapshots.map(({ chartId, capturedAt }) => ({ chartId, capturedAt })))
  // The ranks are found by their apps: no index leads from a chart to them.
  await sql`
    with replaced as (
      delete from chart_snapshots s
      using json_to_recordset(${keys}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      where s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"
      returning s.chart_id, s.captured_at, s.store_ids
    )
    delete from chart_ranks k
    using replaced r, unnest(r.store_ids) as place(store_id)
    where k.store_id = place.store_id and k.chart_id = r.chart_id and k.captured_at = r.captured_at`.execute(db)
  const sent = snapshots.map((snapshot) => ({
    ...snapshot,
    returned: snapshot.storeIds.filter((id) => id !== null).length,
    apart: snapshot.apart.length === 0 ? null : snapshot.apart,
  }))
  await sql`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent("chartId" integer,
        "capturedAt" timestamptz, day date, returned smallint, requested smallint, "storeIds" bigint[], "readingId" uuid,
        "readingKey" text, "readAs" text, stated integer, hinted integer, apart bigint[], "inParts" boolean, beaten json)
    ), snapshots as (
      insert into chart_snapshots (chart_id, captured_at, day, returned, requested, store_ids, reading_id, reading_key, read_as,
        stated, hinted, apart, in_parts, beaten)
      select "chartId", "capturedAt", day, returned, requested, "storeIds", "readingId", "readingKey", "readAs", stated,
        hinted, apart, "inParts", nullif(beaten::text, 'null')::json
      from sent
    )
    insert into chart_ranks (store_id, captured_at, chart_id, rank)
    select place.store_id, "capturedAt", "chartId", place.rank
    from sent, unnest("storeIds") with ordinality as place(store_id, rank)
    where place.store_id is not null`.execute(db)
}
