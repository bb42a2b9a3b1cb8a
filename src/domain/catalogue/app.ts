import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import { allFields, type TrackedField } from '../../vocabulary/listing-fields.ts'
import type { Version } from './listing-versions.ts'
import type { AppRecord, RecordState } from './record.ts'
import { type RecordRow, recordColumns, toRecord } from './record-queries.ts'

/** An app as one storefront shows it. Nothing of other storefronts stands in for what is not known there. */
export interface StorefrontApp {
  storeId: string
  country: string
  /** The record with the history of its fields; undefined when nothing of the app is stored for the storefront. */
  state: RecordState | undefined
  /** Other storefronts with a record, alphabetically. */
  alsoIn: string[]
  /** What was asked about it here last in vain. */
  failedChecks: ReadonlySet<CheckKind>
}

/** An app in a storefront; undefined when no storefront has a record of it. */
export async function appInStorefront(
  db: Database,
  storeId: string,
  country: string,
): Promise<StorefrontApp | undefined> {
  const { record, versions, alsoIn, failedChecks } = await storedInStorefront(db, storeId, country)
  if (!record && alsoIn.length === 0) return undefined
  const state: RecordState | undefined = record && { record, versions: new Map() }
  for (const { field, ...version } of versions)
    state?.versions.set(field, [...(state.versions.get(field) ?? []), version])
  return { storeId, country, state, alsoIn, failedChecks: new Set(failedChecks) }
}

/** What is stored of an app for a storefront, and where else it is known. */
interface StoredInStorefront {
  record: AppRecord | undefined
  /** Each field's oldest first; of this storefront alone. */
  versions: (Version & { field: TrackedField })[]
  /** Other storefronts with a record, alphabetically. */
  alsoIn: string[]
  /** What was asked about it here last in vain. */
  failedChecks: CheckKind[]
}

/** One statement, whatever is stored: records of apps that nobody knows are asked for, too. */
async function storedInStorefront(db: Database, storeId: string, country: string): Promise<StoredInStorefront> {
  const found = await firstRow(
    db,
    sql<RecordRow & Omit<StoredInStorefront, 'record'>>`
      select ${recordColumns(allFields)},
        to_json(array(
          select other.country from app_records other
          where other.store_id = asked.store_id and other.country <> asked.country order by other.country
        )) as "alsoIn",
        (
          select coalesce(json_agg(json_build_object('field', v.field, 'value', v.value,
            'firstSeenAt', (extract(epoch from v.first_seen_at) * 1000)::double precision,
            'lastSeenAt', (extract(epoch from v.last_seen_at) * 1000)::double precision)
            order by v.field, v.first_seen_at), '[]')
          from listing_versions v where v.store_id = asked.store_id and v.country = asked.country
        ) as versions,
        to_json(array(
          select f.kind from check_failures f where f.store_id = asked.store_id and f.country = asked.country
        )) as "failedChecks"
      from (select ${bigintId(storeId)} as store_id, ${country}::text as country) asked
      left join app_records r on r.store_id = asked.store_id and r.country = asked.country`,
  )
  if (!found) throw new Error('A statement about one app answered no row.')
  const { alsoIn, versions, failedChecks } = found
  return { record: found.storeId ? toRecord(found, allFields) : undefined, alsoIn, versions, failedChecks }
}
