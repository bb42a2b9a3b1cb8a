import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthOfInstant } from '../../storage/months.ts'
import { writtenRows } from '../../storage/written-rows.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { type FieldMasks, fieldMasksOf, type SightingRow } from '../catalogue/listing-history.ts'
import type { ChartCapture, ChartReading } from './capture.ts'
import { type ChartInstant, instantsAsRows } from './rank-list-queries.ts'

/**
 * Takes the lock of chart writers until the transaction ends: captures and lists of one instant are merged with stored ones.
 * A replay has tables of its own and takes no lock. Taken after the lock of the catalogue, and before rows of charts.
 */
export async function lockCharts(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope charts'), 'told_ranks'::regclass::oid::int)`.execute(
    db,
  )
}

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

/** A snapshot as it is stored, by its chart and instant. */
export interface SnapshotOfChart extends ChartInstant, ChartCapture, EntryMasks {}

/** A snapshot of a chart that is registered. */
interface Snapshot extends ChartCapture, EntryMasks {
  chartId: number
  capturedAt: Date
}

/** The stored form of captures at these instants; captures that are not stored are left out. */
export function storedSnapshots(db: Database, instants: readonly ChartInstant[]): Promise<SnapshotOfChart[]> {
  return rows(
    db,
    sql<SnapshotOfChart>`
      with sent as materialized (
        select c.chart_id, c.country, c.kind, c.category_id, c.device, sent."capturedAt" as captured_at
        from ${instantsAsRows(instants)} join charts c on c.country = sent.country and c.kind = sent.kind
          and c.category_id = sent."categoryId" and c.device = sent.device
      )
      select sent.country, sent.kind, sent.category_id as "categoryId", sent.device, s.captured_at as "capturedAt",
        s.reading_id as "readingId", s.reading_key as "readingKey", s.read_as as "readAs", s.day::text as day, s.requested,
        to_json(s.store_ids::text[]) as "storeIds", s.in_parts as "inParts", s.beaten, s.stated, s.hinted,
        to_json(coalesce(s.apart, '{}')::text[]) as apart
      from sent join chart_snapshots s on s.chart_id = sent.chart_id and s.captured_at = sent.captured_at`,
  )
}

/** Writes snapshots and their ranks; replaces those captured at the same instant. */
export async function replaceSnapshots(db: Database, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return
  const keys = snapshots.map(({ chartId, capturedAt }) => ({ chartId, capturedAt }))
  const replaced = await rows(
    db,
    sql<Replaced>`
      delete from chart_snapshots s
      using json_to_recordset(${JSON.stringify(keys)}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      where s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"
      returning s.chart_id as "chartId", s.captured_at as "capturedAt", s.store_ids as "storeIds"`,
  )
  if (replaced.length > 0) await removeRanks(db, replaced)
  const sent = snapshots.map((snapshot) => ({
    ...snapshot,
    returned: snapshot.storeIds.filter((id) => id !== null).length,
    apart: snapshot.apart.length === 0 ? null : snapshot.apart,
  }))
  await sql`
    insert into chart_snapshots (chart_id, captured_at, day, returned, requested, store_ids, reading_id, reading_key, read_as,
      stated, hinted, apart, in_parts, beaten)
    select "chartId", "capturedAt", day, returned, requested, "storeIds", "readingId", "readingKey", "readAs", stated,
      hinted, apart, "inParts", nullif(beaten::text, 'null')::json
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("chartId" integer, "capturedAt" timestamptz, day date,
      returned smallint, requested smallint, "storeIds" bigint[], "readingId" uuid, "readingKey" text, "readAs" text,
      stated integer, hinted integer, apart bigint[], "inParts" boolean, beaten json)`.execute(db)
  await addRanks(db, snapshots)
  for (const table of ['charts', 'chart_snapshots']) writtenRows(db).add(table, snapshots.length)
}

type Replaced = Pick<Snapshot, 'chartId' | 'capturedAt' | 'storeIds'>

/**
 * Adds ranks to the months of their apps. Months are locked in the order of their key, so that two writers cannot deadlock.
 * Places are sorted once, not within each of the many small groups.
 */
async function addRanks(db: Database, snapshots: readonly Replaced[]): Promise<void> {
  const sent = snapshots.map(({ chartId, capturedAt, storeIds }) => ({
    chartId,
    capturedAt,
    month: firstDayOf(capturedAt),
    storeIds,
  }))
  const known = sql`known.captured_at || excluded.captured_at`
  await sql`
    insert into chart_months as known (store_id, chart_id, month, captured_at, ranks)
    select store_id, chart_id, month, array_agg(captured_at), array_agg(rank)
    from (
      select place.store_id, "chartId" as chart_id, month, "capturedAt" as captured_at, place.rank::smallint as rank
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent("chartId" integer, "capturedAt" timestamptz, month date,
        "storeIds" bigint[]), unnest("storeIds") with ordinality as place(store_id, rank)
      where place.store_id is not null
      order by 1, 2, 3, 4
    ) places
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (store_id, chart_id, month) do update
      set captured_at = case when ${isLater} then ${known} else times_in_order(${known}, '{}') end,
        ranks = case when ${isLater} then known.ranks || excluded.ranks
          else ranks_in_order(${known}, known.ranks || excluded.ranks, '{}') end`.execute(db)
  writtenRows(db).add(
    'chart_months',
    sent.reduce((sum, { storeIds }) => sum + storeIds.length, 0),
  )
}

/** The month of a capture, which is the partition key. */
const firstDayOf = (capturedAt: Date) => `${capturedAt.toISOString().slice(0, 7)}-01`

/** Whether captures follow all stored ones, as they nearly always do. */
const isLater = sql`known.captured_at[cardinality(known.captured_at)] < excluded.captured_at[1]`

/** Removes the ranks of captures that are no longer stored, and months without any. */
async function removeRanks(db: Database, replaced: readonly Replaced[]): Promise<void> {
  const gone = replaced.flatMap(({ chartId, capturedAt, storeIds }) =>
    storeIds.filter((storeId) => storeId !== null).map((storeId) => ({ storeId, chartId, capturedAt })),
  )
  // The condition on months keeps others from being read or locked.
  const months = [...new Set(replaced.map(({ capturedAt }) => firstDayOf(capturedAt)))]
  const inMonths = sql`m.month = any(${months}::date[])`
  await sql`
    update chart_months m
    set captured_at = times_in_order(m.captured_at, g.instants), ranks = ranks_in_order(m.captured_at, m.ranks, g.instants)
    from (
      select "storeId" as store_id, "chartId" as chart_id, ${monthOfInstant(sql`"capturedAt"`)} as month, array_agg("capturedAt") as instants
      from json_to_recordset(${JSON.stringify(gone)}::json) as sent("storeId" bigint, "chartId" integer, "capturedAt" timestamptz)
      group by 1, 2, 3
    ) g
    where m.store_id = g.store_id and m.chart_id = g.chart_id and m.month = g.month and ${inMonths}`.execute(db)
  await sql`
    delete from chart_months m
    where ranks = '{}' and ${inMonths}
      and store_id in (select value::bigint from json_array_elements_text(${JSON.stringify([...new Set(gone.map(({ storeId }) => storeId))])}::json))`.execute(
    db,
  )
}

/** The field masks that most entries of a snapshot share, and the apps whose entries differ. */
interface EntryMasks extends FieldMasks {
  apart: string[]
}

/** The stored entries of a snapshot. */
type StoredEntries = EntryMasks & { storeIds: readonly (string | null)[] }

/**
 * Encodes the sightings of a snapshot's apps in the snapshot itself, and returns the sightings that this cannot express.
 * @param instant the chart and instant of the snapshot
 * @param storeIds the places that are stored
 * @param readings all readings of this chart and instant, whether their capture won or not
 * @param stored what the store held before
 */
export function encodeSightings(
  { country, capturedAt: observedAt }: { country: string; capturedAt: Date },
  storeIds: readonly (string | null)[],
  readings: readonly ChartReading[],
  stored: StoredEntries | undefined,
): { entries: EntryMasks; others: SightingRow[] } {
  const seen = readings.flatMap(({ sightings }) =>
    sightings.map((sighting) => ({
      storeId: sighting.storeId,
      country,
      observedAt,
      ...fieldMasksOf(sighting),
    })),
  )
  const before = stored
    ? stored.storeIds
        .filter((storeId) => storeId !== null)
        .filter((storeId) => !stored.apart.includes(storeId))
        .map((storeId) => ({ storeId, country, observedAt, stated: stored.stated, hinted: stored.hinted }))
    : []
  const usual = usualOf([...before, ...seen])
  const kept = new Set(storeIds.filter((storeId) => storeId !== null))
  const reported = new Set<string>()
  const others: SightingRow[] = []
  for (const row of [...before, ...seen]) {
    const isUsual = row.stated === usual.stated && row.hinted === usual.hinted
    if (isUsual && kept.has(row.storeId)) reported.add(row.storeId)
    else others.push(row)
  }
  return { entries: { ...usual, apart: [...kept].filter((storeId) => !reported.has(storeId)) }, others }
}

/** The masks that most entries share. */
function usualOf(rows: readonly FieldMasks[]): FieldMasks {
  const counted = new Map<string, { masks: FieldMasks; count: number }>()
  for (const { stated, hinted } of rows) {
    const key = `${stated} ${hinted}`
    const known = counted.get(key)
    if (known) known.count++
    else counted.set(key, { masks: { stated, hinted }, count: 1 })
  }
  return (
    [...counted.values()].toSorted((one, other) => other.count - one.count)[0]?.masks ?? {
      stated: 0,
      hinted: 0,
    }
  )
}
