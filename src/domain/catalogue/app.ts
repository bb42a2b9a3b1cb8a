import type { Database } from '../../storage/database.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import { failedChecks } from '../collecting/check-failures.ts'
import { storefrontsOfApp } from './app-queries.ts'
import type { TrackedField } from './listing.ts'
import type { Version } from './listing-versions.ts'
import type { RecordState } from './record.ts'
import { recordOfApp, versionsOfApps } from './record-queries.ts'

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
  const [storefronts, state, failed] = await Promise.all([
    storefrontsOfApp(db, storeId),
    recordState(db, storeId, country),
    failedChecks(db, storeId, country),
  ])
  if (storefronts.length === 0 && !state) return undefined
  const alsoIn = storefronts.filter((other) => other !== country)
  return { storeId, country, state, alsoIn, failedChecks: failed }
}

async function recordState(db: Database, storeId: string, country: string): Promise<RecordState | undefined> {
  const record = await recordOfApp(db, storeId, country)
  if (!record) return undefined
  const versions = new Map<TrackedField, Version[]>()
  for (const row of await versionsOfApps(db, [storeId])) {
    if (row.country !== country) continue
    const field = row.field as TrackedField
    const { value, firstSeenAt, lastSeenAt } = row
    versions.set(field, [...(versions.get(field) ?? []), { value, firstSeenAt, lastSeenAt }])
  }
  return { record, versions }
}
