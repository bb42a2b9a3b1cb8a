import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthAt } from '../../storage/months.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { Capture } from './capture.ts'
import type { EntryMasks } from './sightings-in-charts.ts'

/** The ids of charts; registers those that are new. Nobody else writes to them until the transaction ends. */
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

/**
 * Writes snapshots and their ranks; replaces those captured at the same instant. The months of an app are read and written
 * back, so the caller has to hold the charts in its transaction, as `ensureCharts` does. Each month is looked up by its key
 * (`limit 1`): the planner knows too little of what was sent to see that this is cheaper than to read the table.
 */
export async function replaceSnapshots(db: Database, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return
  const keys = JSON.stringify(snapshots.map(({ chartId, capturedAt }) => ({ chartId, capturedAt })))
  await sql`
    with replaced as (
      delete from chart_snapshots s
      using json_to_recordset(${keys}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      where s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"
      returning s.chart_id, s.captured_at, s.store_ids
    ), gone as (
      select place.store_id, r.chart_id, ${monthAt(sql`r.captured_at`)} as month, array_agg(r.captured_at) as instants
      from replaced r cross join lateral unnest(r.store_ids) as place(store_id)
      group by 1, 2, 3
    ), left_over as (
      select m.store_id, m.chart_id, m.month, kept.captured_at, kept.ranks
      from gone g cross join lateral (
        select * from chart_months known
        where known.store_id = g.store_id and known.chart_id = g.chart_id and known.month = g.month limit 1
      ) m cross join lateral (
        select array_agg(one.at order by one.at) as captured_at, array_agg(one.rank order by one.at) as ranks
        from unnest(m.captured_at, m.ranks) as one(at, rank)
        where one.at <> all(g.instants)
      ) kept
    ), emptied as (
      delete from chart_months m using left_over l
      where m.store_id = l.store_id and m.chart_id = l.chart_id and m.month = l.month and l.ranks is null
    )
    update chart_months m set captured_at = l.captured_at, ranks = l.ranks
    from left_over l
    where m.store_id = l.store_id and m.chart_id = l.chart_id and m.month = l.month and l.ranks is not null`.execute(
    db,
  )
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
    ), fresh as (
      select place.store_id, ${monthAt(sql`"capturedAt"`)} as month, "chartId" as chart_id,
        array_agg("capturedAt" order by "capturedAt") as captured_at, array_agg(place.rank::smallint order by "capturedAt") as ranks
      from sent cross join lateral unnest("storeIds") with ordinality as place(store_id, rank)
      where place.store_id is not null
      group by 1, 2, 3
    )
    insert into chart_months (store_id, month, chart_id, captured_at, ranks)
    select f.store_id, f.month, f.chart_id, whole.captured_at, whole.ranks
    from fresh f left join lateral (
      select captured_at, ranks from chart_months known
      where known.store_id = f.store_id and known.chart_id = f.chart_id and known.month = f.month limit 1
    ) m on true cross join lateral (
      select array_agg(one.at order by one.at) as captured_at, array_agg(one.rank order by one.at) as ranks
      from unnest(m.captured_at || f.captured_at, m.ranks || f.ranks) as one(at, rank)
    ) whole
    on conflict (store_id, chart_id, month) do update set captured_at = excluded.captured_at, ranks = excluded.ranks`.execute(
    db,
  )
}
