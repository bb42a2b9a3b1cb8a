import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthOfInstant } from '../../storage/months.ts'
import { type TrackedField, trackedFields } from '../../vocabulary/listing-fields.ts'
import type { Reading } from '../evidence/reading.ts'
import { evidenceOfField, pickStated } from '../facts/merge.ts'
import { type AppSighting, fieldBits, historyText, type Listing } from './listing.ts'
import {
  addSightingsToVersions,
  type FieldSighting,
  type FieldVersion,
  noInstants,
  versionsSplitBySightings,
} from './listing-versions.ts'
import { type AppRecord, firstSeen, isOnlyHinted, type RecordState } from './record.ts'

/** The fields of an app in one reading. */
export interface AppReading {
  sighting: AppSighting
  reading: Reading
}

/** A version whose sightings must be loaded, because a new value splits it. */
interface SplitVersion {
  field: TrackedField
  /** Whether the version rests on hints. */
  hinted: boolean
  version: FieldVersion
}

/** New sightings of a field, beside its history. */
interface FieldUpdate {
  field: TrackedField
  hinted: boolean
  known: readonly FieldVersion[]
  sightings: readonly FieldSighting[]
  /** Instants of answers that proved to be old copies. */
  gone: ReadonlySet<number>
}

/** Finds the versions that new sightings split. */
export function findSplitVersions(fieldUpdates: readonly FieldUpdate[]): SplitVersion[] {
  return fieldUpdates.flatMap(({ field, hinted, known, sightings, gone }) =>
    versionsSplitBySightings(known, sightings, gone).map((version) => ({ field, hinted, version })),
  )
}

/**
 * The versions of the fields that were seen to change, after new sightings.
 * @param within all instants at which the field was seen in a split version, as far as they were stored before
 */
export function versionsAfterSightings(
  before: RecordState | undefined,
  fieldUpdates: readonly FieldUpdate[],
  within: (version: FieldVersion, fieldUpdate: FieldUpdate) => readonly number[],
): RecordState['versions'] {
  const versions = new Map(before?.versions)
  for (const fieldUpdate of fieldUpdates) {
    const { field, known, sightings, gone } = fieldUpdate
    const now = addSightingsToVersions(known, sightings, (version) => within(version, fieldUpdate), gone)
    if (now.length > 1) versions.set(field, now)
    else versions.delete(field)
  }
  return versions
}

/**
 * The new sightings of each field of an app, beside its history; fields of which they say nothing new are left out.
 * @param after the record with the sightings added
 * @param gone instants of answers that proved to be old copies, in milliseconds: every history is looked at then
 */
export function fieldUpdatesIn(
  before: RecordState | undefined,
  after: AppRecord,
  seen: readonly AppReading[],
  gone: ReadonlySet<number> = noInstants,
): FieldUpdate[] {
  const [first] = seen
  const shown: (readonly [AppSighting, readonly AppReading[]])[] =
    first && seen.length === 1 ? [[first.sighting, seen]] : [...Map.groupBy(seen, ({ sighting }) => sighting)]
  const stated = shown.reduce((bits, [{ listing, hints }]) => {
    return bits | fieldMaskOf(listing) | fieldMaskOf(hints)
  }, 0)
  return trackedFields.flatMap((field) => {
    if (gone.size === 0 && (stated & fieldBits[field]) === 0) return []
    const hinted = isOnlyHinted(after, field)
    if (gone.size === 0 && before && showsHeld(before, field, hinted, shown)) return []
    const values = shown.flatMap(([sighting, alike]) => {
      const listing = hinted ? { ...sighting.hints, ...sighting.listing } : sighting.listing
      return field in listing ? [{ value: historyText(listing, field), alike }] : []
    })
    if (gone.size === 0 && values.length === 0) return []
    const known = before && isOnlyHinted(before.record, field) === hinted ? fieldVersionsOf(before, field) : []
    const [held = values[0]] = known
    const isNews =
      gone.size > 0 || before?.versions.has(field) || values.some(({ value }) => value !== held?.value)
    if (!isNews) return []
    const sightings = values.flatMap(({ value, alike }) =>
      alike.map(({ reading }) => ({ value, at: reading.observedAt.getTime() })),
    )
    return [{ field, hinted, known, sightings, gone }]
  })
}

/**
 * Whether all sightings show the value that a field always had, as they nearly always do. A price, which is nothing without its
 * currency, is looked at more closely by others.
 */
function showsHeld(
  { record, versions }: RecordState,
  field: TrackedField,
  hinted: boolean,
  shown: readonly (readonly [AppSighting, unknown])[],
): boolean {
  if (field === 'price' || versions.has(field) || isOnlyHinted(record, field) !== hinted) return false
  const held = record.facts[field]
  return shown.every(([{ listing, hints }]) => {
    const value = field in listing ? listing[field] : hinted ? hints?.[field] : undefined
    return value === undefined || value === held || isDeepStrictEqual(value, held)
  })
}

/**
 * The versions of a field, oldest first; none where it was never measured. One that was always seen with one value has no
 * stored versions: its single version is the record itself.
 */
export function fieldVersionsOf(
  { record, versions }: RecordState,
  field: TrackedField,
): readonly FieldVersion[] {
  const stored = versions.get(field)
  if (stored) return stored
  const backing = evidenceOfField(record, field)
  const since = firstSeen(record, field)
  if (!backing || since === undefined) return []
  // A price is nothing without its currency, which is taken only where the same reading states it.
  const listing = field === 'price' ? pickStated<Listing>(record.facts, backing.fields) : record.facts
  const value = historyText(listing, field)
  return [{ value, firstSeenAt: Date.parse(since), lastSeenAt: Date.parse(backing.observedAt) }]
}

/** Tracked fields as bits. */
export interface FieldMasks {
  stated: number
  hinted: number
}

/** The tracked fields that a sighting shows. */
export function fieldMasksOf({ listing, hints }: AppSighting): FieldMasks {
  return { stated: fieldMaskOf(listing), hinted: fieldMaskOf(hints) }
}

function fieldMaskOf(fields: object | undefined): number {
  let bits = 0
  for (const field in fields) bits |= fieldBits[field as TrackedField] ?? 0
  return bits
}

/** A sighting of a listing at an instant, with the tracked fields it showed, as bits. */
export interface SightingRow {
  storeId: string
  country: string
  observedAt: Date
  /** The update date that was shown, RFC 3339 (old-copies.ts). */
  updateDate?: string | undefined
  stated: number
  hinted: number
}

/** Stores sightings; several of one instant are one. Sightings that a chart snapshot encodes itself are not stored here. */
export async function recordSightings(
  db: Database,
  table: 'listing_sightings' | 'chart_sightings',
  sightings: readonly SightingRow[],
): Promise<void> {
  if (sightings.length === 0) return
  const isDated = table === 'listing_sightings'
  const key = sql.raw(`store_id, country, observed_at${isDated ? ', updated_at' : ''}`)
  const seen = sql.raw(
    `"storeId", country, "observedAt"${isDated ? `, coalesce("updateDate", 'infinity')` : ''}`,
  )
  await sql`
    insert into ${sql.table(table)} as s (${key}, stated, hinted)
    select ${seen}, bit_or(stated), bit_or(hinted)
    from json_to_recordset(${JSON.stringify(sightings)}::json) as sent("storeId" bigint, country text,
      "observedAt" timestamptz, "updateDate" timestamptz(3), stated integer, hinted integer)
    group by ${seen}
    on conflict (${key}) do update
      set stated = s.stated | excluded.stated, hinted = s.hinted | excluded.hinted
      where (s.stated | excluded.stated, s.hinted | excluded.hinted) <> (s.stated, s.hinted)`.execute(db)
}

/** A version whose sightings are requested. */
type SoughtVersion = SplitVersion & { storeId: string; country: string }

/** For each version, in order, the instants in milliseconds at which its field was seen while it held. */
export async function sightingInstantsWithin(
  db: Database,
  sought: readonly SoughtVersion[],
): Promise<number[][]> {
  if (sought.length === 0) return []
  const asked = sought.map(({ storeId, country, field, hinted, version }, place) => ({
    place,
    storeId,
    country,
    stated: hinted ? 0 : fieldBits[field],
    hinted: hinted ? fieldBits[field] : 0,
    from: new Date(version.firstSeenAt),
    to: new Date(version.lastSeenAt),
  }))
  const shows = (row: ReturnType<typeof sql>) =>
    sql`((${row}.stated & asked.stated) | (${row}.hinted & asked.hinted)) <> 0`
  const found = await rows(
    db,
    sql<{ instants: number[] | null }>`
      with asked as materialized (
        select * from json_to_recordset(${JSON.stringify(asked)}::json) as asked(place integer, "storeId" bigint, country text,
          stated integer, hinted integer, "from" timestamptz, "to" timestamptz)
      ), listed as materialized (
        select asked.place, s.observed_at as at
        from asked join listing_sightings s on s.store_id = asked."storeId" and s.country = asked.country
          and s.observed_at between asked."from" and asked."to" and ${shows(sql`s`)}
      ), stated as materialized (
        select asked.place, s.observed_at as at
        from asked join chart_sightings s on s.store_id = asked."storeId" and s.country = asked.country
          and s.observed_at between asked."from" and asked."to" and ${shows(sql`s`)}
      ), ranked as materialized (
        select asked.*, k.chart_id, k.captured_at
        from asked
        join chart_ranks k on k.store_id = asked."storeId" and k.captured_at between asked."from" and asked."to"
          and k.month between ${monthOfInstant(sql`asked."from"`)} and ${monthOfInstant(sql`asked."to"`)}
        join charts c on c.chart_id = k.chart_id and c.country = asked.country
      ), charted as materialized (
        select asked.place, p.captured_at as at
        from ranked asked
        join chart_snapshots p on p.chart_id = asked.chart_id and p.captured_at = asked.captured_at
        where ${shows(sql`p`)} and asked."storeId" <> all(coalesce(p.apart, '{}'))
      ), seen as materialized (
        select place, json_agg((extract(epoch from at) * 1000)::bigint) as instants
        from (select * from listed union all select * from stated union all select * from charted) each
        group by place
      )
      select instants from asked left join seen using (place)
      order by place`,
  )
  return found.map(({ instants }) => instants ?? [])
}
