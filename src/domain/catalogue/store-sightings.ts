import type { Database } from '../../storage/database.ts'
import type { Reading } from '../evidence/reading.ts'
import type { AppSighting, TrackedField } from './listing.ts'
import { type AppRecord, addToRecord, type RecordState } from './record.ts'
import {
  addSearchWords,
  type FieldHistory,
  lockCatalogue,
  recordsOfApps,
  replaceSearchDocuments,
  replaceVersions,
  upsertRecords,
  versionsOfApps,
} from './record-queries.ts'
import { forgivenWords, searchDiffers, searchDocument } from './search-document.ts'
import { fold } from './search-terms.ts'

/** What one reading saw of the catalogue. */
export interface CatalogueHarvest {
  reading: Reading
  country: string
  sightings: readonly AppSighting[]
}

/**
 * Adds what readings saw to the catalogue: records, their history and what search knows. Runs inside the caller's
 * transaction, so that a reading and what follows from it are stored together.
 */
export async function storeSightings(db: Database, harvests: readonly CatalogueHarvest[]): Promise<void> {
  const storeIds = [
    ...new Set(harvests.flatMap(({ sightings }) => sightings.map((sighting) => sighting.storeId))),
  ]
  if (storeIds.length === 0) return
  await lockCatalogue(db)
  const before = await statesOf(db, storeIds)
  const after = new Map(before)
  for (const { reading, country, sightings } of harvests) {
    for (const sighting of sightings) {
      const key = keyOf(sighting.storeId, country)
      after.set(key, addToRecord(after.get(key), country, sighting, reading))
    }
  }
  const changed = [...after].filter(([key, state]) => before.get(key) !== state)
  await upsertRecords(
    db,
    changed.map(([, state]) => state.record),
    sortName,
  )
  const histories = changed.flatMap(([key, state]) => changedHistories(before.get(key), state))
  if (histories.length > 0) await replaceVersions(db, histories)
  await tellSearch(
    db,
    before,
    after,
    changed.map(([key]) => key),
  )
}

/** Names are sorted by their beginning: folding can lengthen one beyond what an index holds. */
const sortName = (name: string) => [...fold(name)].slice(0, 300).join('')

const keyOf = (storeId: string, country: string) => `${storeId} ${country}`

async function statesOf(db: Database, storeIds: readonly string[]): Promise<Map<string, RecordState>> {
  const records = await recordsOfApps(db, storeIds)
  const states = new Map<string, RecordState>()
  for (const record of records)
    states.set(keyOf(record.storeId, record.country), { record, versions: new Map() })
  if (records.length === 0) return states
  for (const { storeId, country, field, ...version } of await versionsOfApps(db, storeIds)) {
    const versions = states.get(keyOf(storeId, country))?.versions
    const tracked = field as TrackedField
    versions?.set(tracked, [...(versions.get(tracked) ?? []), version])
  }
  return states
}

function changedHistories(before: RecordState | undefined, after: RecordState): FieldHistory[] {
  const { storeId, country } = after.record
  return [...new Set([...(before?.versions.keys() ?? []), ...after.versions.keys()])]
    .filter((field) => before?.versions.get(field) !== after.versions.get(field))
    .map((field) => ({ storeId, country, field, versions: after.versions.get(field) ?? [] }))
}

async function tellSearch(
  db: Database,
  before: ReadonlyMap<string, RecordState>,
  after: ReadonlyMap<string, RecordState>,
  changed: readonly string[],
): Promise<void> {
  const stale = new Set<string>()
  for (const key of changed) {
    const now = after.get(key)?.record
    const then = before.get(key)?.record
    if (now && (!then || searchDiffers(then, now))) stale.add(now.storeId)
  }
  if (stale.size === 0) return
  const byApp = new Map<string, AppRecord[]>()
  for (const { record } of after.values()) {
    if (stale.has(record.storeId)) byApp.set(record.storeId, [...(byApp.get(record.storeId) ?? []), record])
  }
  const apps = [...byApp.values()]
  await replaceSearchDocuments(db, apps.map(searchDocument))
  const words = new Map(apps.flatMap(forgivenWords).map((entry) => [entry.word, entry]))
  if (words.size > 0) await addSearchWords(db, [...words.values()])
}
