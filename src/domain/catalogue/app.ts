import type { Database } from '../../storage/database.ts'
import type { TrackedField } from './listing.ts'
import type { Version } from './listing-versions.ts'
import type { RecordState } from './record.ts'
import { recordOfApp, versionsOfApps } from './record-queries.ts'

/**
 * The record of an app in a storefront with the history of its fields, or, where that storefront has none, of the
 * storefront with most ratings. Undefined when the app is not catalogued.
 */
export async function appState(
  db: Database,
  storeId: string,
  country: string,
): Promise<RecordState | undefined> {
  const record = await recordOfApp(db, storeId, country)
  if (!record) return undefined
  const versions = new Map<TrackedField, Version[]>()
  for (const row of await versionsOfApps(db, [storeId])) {
    if (row.country !== record.country) continue
    const field = row.field as TrackedField
    const { value, firstSeenAt, lastSeenAt } = row
    versions.set(field, [...(versions.get(field) ?? []), { value, firstSeenAt, lastSeenAt }])
  }
  return { record, versions }
}
