import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { Listing, ListingField } from './listing.ts'
import type { Version } from './listing-versions.ts'
import type { AppRecord } from './record.ts'
import type { SearchDocument } from './search-document.ts'

/** Every listing field with its column and the column's type. This table is the only place that knows both names. */
export const columns: Record<ListingField, [column: string, type: string]> = {
  name: ['name', 'text'],
  subtitle: ['subtitle', 'text'],
  developer: ['developer', 'text'],
  developerId: ['developer_id', 'bigint'],
  seller: ['seller', 'text'],
  sellerUrl: ['seller_url', 'text'],
  bundleId: ['bundle_id', 'text'],
  iconUrl: ['icon_url', 'text'],
  description: ['description', 'text'],
  releaseNotes: ['release_notes', 'text'],
  version: ['version', 'text'],
  price: ['price', 'double precision'],
  currency: ['currency', 'text'],
  primaryCategoryId: ['primary_category_id', 'integer'],
  categoryIds: ['category_ids', 'integer[]'],
  rating: ['rating', 'double precision'],
  ratingCount: ['rating_count', 'bigint'],
  ratingCurrentVersion: ['rating_current_version', 'double precision'],
  ratingCountCurrentVersion: ['rating_count_current_version', 'bigint'],
  releasedAt: ['released_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
  sizeBytes: ['size_bytes', 'bigint'],
  languages: ['languages', 'text[]'],
  minimumOsVersion: ['minimum_os_version', 'text'],
  contentRating: ['content_rating', 'text'],
  screenshotsIphone: ['screenshots_iphone', 'text[]'],
  screenshotsIpad: ['screenshots_ipad', 'text[]'],
  screenshotsTv: ['screenshots_tv', 'text[]'],
  previews: ['previews', 'text[]'],
}

/** A column as JavaScript reads it alike from both drivers: ids as text, counts as numbers. */
function read(field: ListingField): string {
  const [column, type] = columns[field]
  if (field === 'developerId') return `r.${column}::text`
  if (type === 'bigint') return `r.${column}::double precision`
  return `r.${column}`
}

const listingColumns = (fields: readonly ListingField[]) =>
  sql.raw(fields.map((field) => `${read(field)} as "${field}"`).join(', '))

const allFields = Object.keys(columns) as ListingField[]

/** The fields of a summary row. */
export const headlineFields = [
  'name',
  'developer',
  'developerId',
  'bundleId',
  'iconUrl',
  'price',
  'currency',
  'primaryCategoryId',
  'rating',
  'ratingCount',
  'releasedAt',
  'updatedAt',
] as const satisfies readonly ListingField[]

const recordColumns = (fields: readonly ListingField[]) => sql`
  r.store_id::text as "storeId", r.country, r.first_observed_at as "firstObservedAt",
  r.last_observed_at as "lastObservedAt", r.since, r.evidence, ${listingColumns(fields)}`

type RecordRow = Omit<AppRecord, 'listing' | 'firstObservedAt' | 'lastObservedAt'> & {
  firstObservedAt: Date
  lastObservedAt: Date
} & Omit<Listing, 'releasedAt' | 'updatedAt'> & { releasedAt: Date | null; updatedAt: Date | null }

function toRecord(row: RecordRow, fields: readonly ListingField[]): AppRecord {
  const measured = new Set(row.evidence.flatMap((entry) => entry.fields))
  const listing: Record<string, unknown> = {}
  for (const field of fields) {
    const value = row[field]
    if (measured.has(field)) listing[field] = value instanceof Date ? value.toISOString() : value
  }
  return {
    storeId: row.storeId,
    country: row.country,
    listing: listing as AppRecord['listing'],
    firstObservedAt: row.firstObservedAt.toISOString(),
    lastObservedAt: row.lastObservedAt.toISOString(),
    since: row.since,
    evidence: row.evidence,
  }
}

/** All storefronts' records of these apps, in no order. */
export async function recordsOfApps(db: Database, storeIds: readonly string[]): Promise<AppRecord[]> {
  const found = await rows(
    db,
    sql<RecordRow>`
      select ${recordColumns(allFields)}
      from app_records r
      where r.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
  return found.map((row) => toRecord(row, allFields))
}

/**
 * The record of each app in the preferred storefront, or, where there is none, in the storefront with most ratings.
 * Headline fields only, in no order.
 */
export async function headlinesOfApps(
  db: Database,
  storeIds: readonly string[],
  country: string,
): Promise<AppRecord[]> {
  const found = await rows(
    db,
    sql<RecordRow>`
      select distinct on (r.store_id) ${recordColumns(headlineFields)}
      from app_records r
      where r.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
      order by r.store_id, (r.country = ${country}) desc, r.rating_count desc nulls last, r.country`,
  )
  return found.map((row) => toRecord(row, headlineFields))
}

/** The app's record in the preferred storefront, or, where there is none, in the storefront with most ratings. */
export async function recordOfApp(
  db: Database,
  storeId: string,
  country: string,
): Promise<AppRecord | undefined> {
  const [found] = await rows(
    db,
    sql<RecordRow>`
      select ${recordColumns(allFields)}
      from app_records r
      where r.store_id = ${bigintId(storeId)}
      order by (r.country = ${country}) desc, r.rating_count desc nulls last, r.country
      limit 1`,
  )
  return found && toRecord(found, allFields)
}

const written = sql.raw(
  ['store_id', 'country', 'sort_name', 'first_observed_at', 'last_observed_at', 'since', 'evidence']
    .concat(allFields.map((field) => columns[field][0]))
    .join(', '),
)
const overwritten = sql.raw(
  ['sort_name', 'first_observed_at', 'last_observed_at', 'since', 'evidence']
    .concat(allFields.map((field) => columns[field][0]))
    .map((column) => `${column} = excluded.${column}`)
    .join(', '),
)
const sent = sql.raw(
  [
    'store_id bigint',
    'country text',
    'sort_name text',
    'first_observed_at timestamptz',
    'last_observed_at timestamptz',
    'since jsonb',
    'evidence jsonb',
  ]
    .concat(allFields.map((field) => columns[field].join(' ')))
    .join(', '),
)

/** Writes whole records, new or known. */
export async function upsertRecords(
  db: Database,
  records: readonly AppRecord[],
  sortName: (name: string) => string,
) {
  const values = records.map((record) => {
    const row: Record<string, unknown> = {
      store_id: record.storeId,
      country: record.country,
      sort_name: sortName(record.listing.name),
      first_observed_at: record.firstObservedAt,
      last_observed_at: record.lastObservedAt,
      since: record.since,
      evidence: record.evidence,
    }
    for (const field of allFields) row[columns[field][0]] = record.listing[field]
    return row
  })
  await sql`
    insert into app_records (${written})
    select ${written} from json_to_recordset(${JSON.stringify(values)}::json) as sent(${sent})
    on conflict (store_id, country) do update set ${overwritten}`.execute(db)
}

export interface VersionRow {
  storeId: string
  country: string
  field: string
  value: string | null
  firstSeenAt: number
  lastSeenAt: number
}

/** Stored versions of these apps, each field's oldest first. */
export function versionsOfApps(db: Database, storeIds: readonly string[]): Promise<VersionRow[]> {
  return rows(
    db,
    sql<VersionRow>`
      select store_id::text as "storeId", country, field, value,
        (extract(epoch from first_seen_at) * 1000)::double precision as "firstSeenAt",
        (extract(epoch from last_seen_at) * 1000)::double precision as "lastSeenAt"
      from listing_versions
      where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
      order by store_id, country, field, first_seen_at`,
  )
}

/** All versions of one field, oldest first; empty when its history was forgotten. */
export type FieldHistory = Pick<VersionRow, 'storeId' | 'country' | 'field'> & { versions: readonly Version[] }

/** Writes whole histories in place of the stored ones. */
export async function replaceVersions(db: Database, histories: readonly FieldHistory[]): Promise<void> {
  const fields = histories.map(({ storeId, country, field }) => ({ storeId, country, field }))
  const versions = histories.flatMap(({ versions, ...field }) =>
    versions.map(({ value, firstSeenAt, lastSeenAt }) => ({
      ...field,
      value,
      firstSeenAt: new Date(firstSeenAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
    })),
  )
  await sql`
    delete from listing_versions v
    using json_to_recordset(${JSON.stringify(fields)}::json) as sent("storeId" bigint, country text, field text)
    where v.store_id = sent."storeId" and v.country = sent.country and v.field = sent.field`.execute(db)
  await sql`
    insert into listing_versions (store_id, country, field, value, first_seen_at, last_seen_at)
    select "storeId", country, field, value, "firstSeenAt", "lastSeenAt"
    from json_to_recordset(${JSON.stringify(versions)}::json) as sent("storeId" bigint, country text, field text,
      value text, "firstSeenAt" timestamptz, "lastSeenAt" timestamptz)`.execute(db)
}

/** Puts apps where search finds them; an app that changed its tier leaves the old one. */
export async function replaceSearchDocuments(
  db: Database,
  documents: readonly SearchDocument[],
): Promise<void> {
  const sentRows = JSON.stringify(documents)
  await sql`
    delete from app_search s
    using json_to_recordset(${sentRows}::json) as sent("storeId" bigint, tier smallint)
    where s.store_id = sent."storeId" and s.tier <> sent.tier`.execute(db)
  await sql`
    insert into app_search (store_id, tier, name_terms, all_terms)
    select "storeId", tier, array_to_tsvector("nameTerms"), array_to_tsvector("allTerms")
    from json_to_recordset(${sentRows}::json)
      as sent("storeId" bigint, tier smallint, "nameTerms" text[], "allTerms" text[])
    on conflict (store_id, tier) do update
      set name_terms = excluded.name_terms, all_terms = excluded.all_terms`.execute(db)
}

export async function addSearchWords(
  db: Database,
  words: readonly { word: string; slips: string[] }[],
): Promise<void> {
  await sql`
    insert into search_words (word, slips)
    select word, slips from json_to_recordset(${JSON.stringify(words)}::json) as sent(word text, slips text[])
    on conflict (word) do nothing`.execute(db)
}

/** One writer of the catalogue at a time: records are read, merged and written back. Ends with the transaction. */
export async function lockCatalogue(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope catalogue'))`.execute(db)
}

/**
 * Folds what was just written into the search indexes and the planner's statistics. PostgreSQL would do both later by
 * itself; the embedded store has nobody else to do it.
 */
export async function tidySearch(db: Database): Promise<void> {
  await sql`
    select gin_clean_pending_list(c.oid::regclass)
    from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`.execute(db)
  for (const table of [
    'app_records',
    'app_search',
    'search_words',
    'charts',
    'chart_snapshots',
    'chart_ranks',
  ]) {
    await sql`analyze ${sql.table(table)}`.execute(db)
  }
}

/** Empties everything that is derived about apps; readings stay. */
export async function forgetCatalogue(db: Database): Promise<void> {
  await lockCatalogue(db)
  for (const table of ['app_records', 'listing_versions', 'app_search', 'search_words'])
    await sql`delete from ${sql.table(table)}`.execute(db)
}
