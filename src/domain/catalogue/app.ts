import type { Database } from '../../storage/database.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { RecordState } from './record.ts'
import { storedInStorefront } from './storefront-queries.ts'

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
