import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { asPrepared } from '../../storage/prepared.ts'
import {
  allListingFields,
  type ListingField,
  type ListingFieldKind,
  listingFieldRow,
  listingFields,
  type TrackedField,
} from '../../vocabulary/listing-fields.ts'
import type { LocalizationCode } from '../../vocabulary/storefronts.ts'
import { isTrackedField, type Listing } from './listing.ts'
import type { FieldVersion } from './listing-versions.ts'
import type { AppRecord, RecordState } from './record.ts'

/** The type of the column that holds each kind of value. */
const columnTypes: Readonly<Record<ListingFieldKind, string>> = {
  line: 'text',
  text: 'text',
  id: 'bigint',
  address: 'text',
  addresses: 'text[]',
  amount: 'numeric',
  currency: 'text',
  genre: 'integer',
  genres: 'integer[]',
  stars: 'double precision',
  count: 'bigint',
  time: 'timestamptz',
  languages: 'text[]',
  purchases: 'jsonb',
  requirements: 'jsonb',
  labels: 'text[]',
  events: 'jsonb',
}

/** Every field with its column, which is its name in snake case, and the column's type. */
export const listingFieldColumns = Object.fromEntries(
  allListingFields.map((field) => [
    field,
    [
      field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      columnTypes[listingFields[field].kind],
    ],
  ]),
) as Record<ListingField, [column: string, type: string]>

/** A column converted for JavaScript: ids as text, counts as numbers. */
function read(field: ListingField): string {
  const [column, type] = listingFieldColumns[field]
  if (listingFields[field].kind === 'id') return `r.${column}::text`
  if (type === 'bigint' || type === 'numeric') return `r.${column}::double precision`
  return `r.${column}`
}

const listingColumns = (fields: readonly ListingField[]) =>
  sql.raw(fields.map((field) => `${read(field)} as "${field}"`).join(', '))

/** The fields of a summary row. */
const headlineFields: readonly ListingField[] = allListingFields.filter(
  (field) => field === 'name' || field === 'currency' || listingFieldRow(field).listed,
)

export const recordColumns = (fields: readonly ListingField[], evidence = sql`r.evidence`) => sql`
  r.store_id::text as "storeId", r.country, r.first_observed_at as "firstObservedAt",
  r.last_observed_at as "lastObservedAt", r.since, ${evidence} as evidence, r.unreadable, ${listingColumns(fields)}`

/** A row of `recordColumns`, with the requested listing fields. */
export type RecordRow = Omit<
  AppRecord,
  'facts' | 'firstObservedAt' | 'lastObservedAt' | 'undated' | 'unreadable'
> & {
  unreadable: ListingField[] | null
  firstObservedAt: Date
  lastObservedAt: Date
} & Partial<Omit<Listing, 'releasedAt' | 'updatedAt'> & { releasedAt: Date | null; updatedAt: Date | null }>

export function toRecord(row: RecordRow, fields: readonly ListingField[]): AppRecord {
  const measured = new Set(row.evidence.flatMap((entry) => entry.fields))
  const facts: Record<string, unknown> = {}
  for (const field of fields) {
    const value = row[field]
    if (measured.has(field)) facts[field] = value instanceof Date ? value.toISOString() : value
  }
  return {
    storeId: row.storeId,
    country: row.country,
    facts: facts as AppRecord['facts'],
    firstObservedAt: row.firstObservedAt.toISOString(),
    lastObservedAt: row.lastObservedAt.toISOString(),
    since: row.since,
    evidence: row.evidence,
    ...(row.unreadable && { unreadable: row.unreadable }),
  }
}

/** All storefronts' records of these apps with some of their fields, in no order. */
export async function recordsOfApps(
  db: Database,
  storeIds: readonly string[],
  fields: readonly ListingField[],
): Promise<AppRecord[]> {
  const found = await rows(
    db,
    sql<RecordRow>`
      select ${recordColumns(fields)}
      from app_records r
      where r.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
  return found.map((row) => toRecord(row, fields))
}

/** An app in a storefront. */
export interface AppInStorefront {
  storeId: string
  country: string
}

/** The given apps as rows of store id and storefront. */
const sentPairs = (pairs: readonly AppInStorefront[]) => {
  const sent = pairs.map(({ storeId, country }) => ({ storeId, country }))
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text)`
}

/** A stored version of a field: the field, its value, the first and the last sighting in milliseconds. */
type StoredVersion = [field: TrackedField, value: string | null, firstSeenAt: number, lastSeenAt: number]

/**
 * The records of these apps in these storefronts with some of their fields, and the stored versions of those fields, oldest first; in no
 * order. Records with the same evidence share it as one object.
 */
export async function recordStatesIn(
  db: Database,
  pairs: readonly AppInStorefront[],
  fields: readonly ListingField[],
): Promise<RecordState[]> {
  if (pairs.length === 0) return []
  const tracked = fields.filter(isTrackedField)
  // Versions are looked up app by app: most have none, and a join of both lists would read the versions of all apps.
  const found = await rows(
    db,
    sql<
      Omit<RecordRow, 'evidence'> & {
        evidence: string
        undated: AppRecord['undated'] | null
        versions: StoredVersion[] | null
      }
    >`
      select ${recordColumns(fields, sql`r.evidence::text`)}, r.undated,
        (select json_agg(json_build_array(v.field, v.value, ${milliseconds(sql`v.first_seen_at`)}, ${milliseconds(sql`v.last_seen_at`)})
            order by v.first_seen_at)
          from listing_versions v
          where v.store_id = r.store_id and v.country = r.country and array_position(${tracked}::text[], v.field::text) > 0) as versions
      from ${sentPairs(pairs)} join app_records r on r.store_id = sent."storeId" and r.country = sent.country`,
  )
  const read = new Map<string, AppRecord['evidence']>()
  return found.map(({ versions, undated, ...row }) => {
    const evidence = read.get(row.evidence) ?? (JSON.parse(row.evidence) as AppRecord['evidence'])
    read.set(row.evidence, evidence)
    const histories: RecordState['versions'] = new Map()
    for (const [field, value, firstSeenAt, lastSeenAt] of versions ?? [])
      histories.set(field, [...(histories.get(field) ?? []), { value, firstSeenAt, lastSeenAt }])
    const record = toRecord({ ...row, evidence }, fields)
    return { record: undated ? { ...record, undated } : record, versions: histories }
  })
}

const milliseconds = (at: RawBuilder<unknown>) => sql`(extract(epoch from ${at}) * 1000)::bigint`

/** The apps among these with a record in any storefront. */
export async function appsWithRecords(db: Database, storeIds: readonly string[]): Promise<Set<string>> {
  if (storeIds.length === 0) return new Set()
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from app_records
      where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
  return new Set(found.map(({ storeId }) => storeId))
}

/** An app in a list of a storefront. */
export interface ListedApp {
  storeId: string
  country: string
  /** Headline fields only; undefined when nothing of the app is stored for the storefront. */
  record: AppRecord | undefined
  /** Whether the last look-up of the app here failed. */
  lookupFailed: boolean
  name: string
  /** Storefront the name was read from: without a record, the one with most ratings. */
  namedIn: string
  /** Languages other than the storefront's own in which it matches a text; empty where none was asked for. */
  matchedIn: readonly LocalizationCode[]
}

/**
 * These apps as lists of a storefront show them, in no order; unknown ones are left out.
 * @param matchedIn a column of `r`: the languages in which an app matches what was asked, as JSON
 */
export async function listedApps(
  db: Database,
  storeIds: readonly string[],
  country: string,
  matchedIn: RawBuilder<unknown> = sql`null::json`,
): Promise<ListedApp[]> {
  const found = await rows(
    db,
    asPrepared(sql<RecordRow & { name: string; lookupFailed: boolean; matchedIn: LocalizationCode[] | null }>`
      select distinct on (r.store_id) ${recordColumns(headlineFields)},
        exists (select 1 from check_failures f
          where f.store_id = r.store_id and f.country = ${country} and f.kind = 'lookup') as "lookupFailed",
        ${matchedIn} as "matchedIn"
      from app_records r
      where r.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
      order by r.store_id, (r.country = ${country}) desc, r.rating_count desc nulls last, r.country`),
  )
  return found.map((row) => ({
    storeId: row.storeId,
    country,
    record: row.country === country ? toRecord(row, headlineFields) : undefined,
    lookupFailed: row.lookupFailed,
    name: row.name,
    namedIn: row.country,
    matchedIn: row.matchedIn ?? [],
  }))
}

/** The app's record in a storefront; undefined when nothing of it is stored there. */
export async function recordOfApp(
  db: Database,
  storeId: string,
  country: string,
): Promise<AppRecord | undefined> {
  const [found] = await rows(
    db,
    sql<RecordRow>`
      select ${recordColumns(allListingFields)}
      from app_records r
      where r.store_id = ${bigintId(storeId)} and r.country = ${country}`,
  )
  return found && toRecord(found, allListingFields)
}

interface VersionRow extends FieldVersion {
  storeId: string
  country: string
  field: TrackedField
}

/** The versions of a field before and after new sightings, oldest first; empty where it has no history. */
export type FieldHistory = Pick<VersionRow, 'storeId' | 'country' | 'field'> & {
  before: readonly FieldVersion[]
  after: readonly FieldVersion[]
}

/**
 * Writes what is another in histories. Nearly always the last version of a field was seen once more: its text, which may be long, is
 * not written again then.
 */
export async function writeVersions(db: Database, histories: readonly FieldHistory[]): Promise<void> {
  const gone: VersionRow[] = []
  const lengthened: VersionRow[] = []
  const added: VersionRow[] = []
  for (const { storeId, country, field, before, after } of histories) {
    const row = (version: FieldVersion) => ({ storeId, country, field, ...version })
    const stored = new Map(before.map((version) => [version.firstSeenAt, version]))
    for (const version of after) {
      const known = stored.get(version.firstSeenAt)
      if (!known || known.value !== version.value) added.push(row(version))
      else {
        stored.delete(version.firstSeenAt)
        if (known.lastSeenAt !== version.lastSeenAt) lengthened.push(row(version))
      }
    }
    gone.push(...[...stored.values()].map(row))
  }
  if (gone.length > 0)
    await sql`
      delete from listing_versions v using ${sentTimes(gone)} where ${isVersion}`.execute(db)
  if (lengthened.length > 0)
    await sql`
      update listing_versions v set last_seen_at = sent."lastSeenAt" from ${sentTimes(lengthened)} where ${isVersion}`.execute(
      db,
    )
  if (added.length === 0) return
  await sql`
    insert into listing_versions (store_id, country, field, value, first_seen_at, last_seen_at)
    select "storeId", country, field, value, "firstSeenAt", "lastSeenAt"
    from json_to_recordset(${JSON.stringify(added.map(withTimes))}::json) as sent("storeId" bigint, country text, field text,
      value text, "firstSeenAt" timestamptz, "lastSeenAt" timestamptz)`.execute(db)
}

const withTimes = ({ firstSeenAt, lastSeenAt, ...version }: VersionRow) => ({
  ...version,
  firstSeenAt: new Date(firstSeenAt).toISOString(),
  lastSeenAt: new Date(lastSeenAt).toISOString(),
})

/** Versions as rows for a parameter, without their texts. */
const sentTimes = (versions: readonly VersionRow[]) => {
  const sent = versions.map(withTimes).map(({ value: _, ...times }) => times)
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text, field text,
    "firstSeenAt" timestamptz, "lastSeenAt" timestamptz)`
}

const isVersion = sql`v.store_id = sent."storeId" and v.country = sent.country and v.field = sent.field
  and v.first_seen_at = sent."firstSeenAt"`
