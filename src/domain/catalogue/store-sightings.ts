import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../storage/database.ts'
import { allListingFields, type ListingField, type TrackedField } from '../../vocabulary/listing-fields.ts'
import { registerForChecks } from '../collecting/attempts.ts'
import { compareReadings, type Reading } from '../evidence/reading.ts'
import { withUnreadable } from '../facts/merge.ts'
import type { AppSighting } from './listing.ts'
import {
  type AppReading,
  fieldMasksOf,
  fieldUpdatesIn,
  findSplitVersions,
  recordSightings,
  type SightingRow,
  sightingInstantsWithin,
  versionsAfterSightings,
} from './listing-history.ts'
import { noInstants } from './listing-versions.ts'
import { findOldCopies, type OldCopies, type ReadingsOfApp, updateDateOf } from './old-copies.ts'
import { removeOldCopyRatings, storeRatings } from './ratings.ts'
import { type AppRecord, addToRecord, type RecordState, withoutOldCopies } from './record.ts'
import {
  appsWithRecords,
  type FieldHistory,
  recordStatesIn,
  recordsOfApps,
  writeVersions,
} from './record-queries.ts'
import { countGenres, insertRecords, lockCatalogue, renewRecords, updateRecords } from './record-writes.ts'
import { isSearchAffected, searchedFields } from './search-document.ts'
import { addAppsToSearch, searchEntries } from './search-words.ts'

/** The apps in one reading. */
export interface SightingsOfReading {
  reading: Reading
  country: string
  sightings: readonly AppSighting[]
  /** Whether the sightings are the entries of a chart, which keeps their instants itself. */
  charted?: boolean
}

/**
 * Adds what readings saw to the catalogue: records, their history, ratings by day and what search knows. Runs inside the caller's
 * transaction, before the charts of the same readings are stored, so that a reading and what follows from it are stored
 * together. Old copies of answers tell nothing (old-copies.ts). Only the fields that the readings speak about are read and written, and only their histories: a chart says little of an
 * app, and says it often.
 * @returns the ids of the records that are new
 */
export async function storeSightings(db: Database, entries: readonly SightingsOfReading[]): Promise<string[]> {
  const seen = seenByRecord(entries)
  if (seen.size === 0) return []
  await lockCatalogue(db)
  const some = fieldsSeen(entries)
  const known = await statesOf(db, seen, some)
  const old = await findOldCopies(db, seen, known)
  // An old copy that is stored can hold any field.
  const fields = old.proven.size > 0 ? allListingFields : some
  const before = old.proven.size > 0 ? await statesOf(db, seen, fields) : known
  const changes = await changesOf(db, seen, before, old)
  const stale = recordsAfter(changes.filter(searchIsStale))
  // The search document of an app is made from its records of all storefronts.
  const elsewhere = await appsWithRecords(db, [...new Set(stale.map(({ storeId }) => storeId))])
  const added = byApp(stale.filter(({ storeId }) => !elsewhere.has(storeId)))
  // Words are split while the database writes.
  const [found] = await Promise.all([searchEntries(added), writeRecords(db, changes, fields)])
  await writeVersions(db, changes.flatMap(changedHistories))
  const oldIn = Map.groupBy(old.among, ({ entry }) => entry)
  const told = entries.map((entry) => withoutOld(entry, oldIn.get(entry)))
  await recordSightings(db, 'listing_sightings', [...told.flatMap(sightingRows), ...[...old.among].map(oldRow)])
  await removeOldCopyRatings(db, old.proven)
  await storeRatings(db, told)
  await addAppsToSearch(db, found, false)
  const fresh = changes.flatMap(({ before, after }) => (before ? [] : [after.record.storeId]))
  if (elsewhere.size === 0) return fresh
  await addAppsToSearch(
    db,
    await searchEntries(byApp(await recordsOfApps(db, [...elsewhere], searchedFields))),
    true,
  )
  return fresh
}

/** An app in a reading, with the other apps of that reading. */
type SeenInEntry = AppReading & { entry: SightingsOfReading }

/** All given readings of one app in one storefront. */
type SeenRecord = ReadingsOfApp<SeenInEntry> & { all: SeenInEntry[] }

async function statesOf(
  db: Database,
  seen: ReadonlyMap<string, SeenRecord>,
  fields: readonly ListingField[],
): Promise<Map<string, RecordState>> {
  const states = await recordStatesIn(db, [...seen.values()], fields)
  return new Map(states.map((state) => [keyOf(state.record.storeId, state.record.country), state]))
}

function withoutOld(entry: SightingsOfReading, old: readonly AppReading[] | undefined): SightingsOfReading {
  if (!old) return entry
  const left = new Set(old.map(({ sighting }) => sighting))
  return { ...entry, sightings: entry.sightings.filter((sighting) => !left.has(sighting)) }
}

function seenByRecord(entries: readonly SightingsOfReading[]): Map<string, SeenRecord> {
  const seen = new Map<string, SeenRecord>()
  for (const entry of entries) {
    const { reading, country, sightings } = entry
    for (const sighting of sightings) {
      const key = keyOf(sighting.storeId, country)
      const record = seen.get(key) ?? { storeId: sighting.storeId, country, all: [] }
      seen.set(key, record)
      record.all.push({ sighting, reading, entry })
    }
  }
  return seen
}

async function changesOf(
  db: Database,
  seen: ReadonlyMap<string, SeenRecord>,
  states: ReadonlyMap<string, RecordState>,
  { among, proven }: OldCopies<SeenInEntry>,
): Promise<Change[]> {
  const met = [...seen].map(([key, { storeId, country, all }]) => {
    const before = states.get(key)
    const gone = proven.get(key) ?? noInstants
    const told = among.size === 0 ? all : all.filter((one) => !among.has(one))
    let after = before && gone.size > 0 ? withoutOldCopies(before.record, gone) : before?.record
    for (const { sighting, reading } of firstAndLastOf(told))
      after = addToRecord(after, country, sighting, reading)
    if (!after) throw new Error(`Nothing was seen of app ${storeId}.`)
    if (told.length < all.length) after = lookedAt(after, all)
    after = withUnreadable(after, ...all.map(({ sighting }) => sighting.unreadable))
    return { before, after, storeId, country, fieldUpdates: fieldUpdatesIn(before, after, told, gone) }
  })
  const sought = met.flatMap(({ storeId, country, fieldUpdates }) =>
    findSplitVersions(fieldUpdates).map((split) => ({ ...split, storeId, country })),
  )
  const instants = await sightingInstantsWithin(db, sought)
  const found = new Map(sought.map(({ version }, index) => [version, instants[index] ?? []]))
  return met.map(({ before, after, fieldUpdates }) => ({
    before,
    after: {
      record: after,
      versions: versionsAfterSightings(before, fieldUpdates, (version) => found.get(version) ?? []),
    },
  }))
}

/** An old copy tells nothing of an app, but that it was looked at. */
function lookedAt(record: AppRecord, all: readonly AppReading[]): AppRecord {
  const last = all.reduce(
    (newest, { reading }) => Math.max(newest, reading.observedAt.getTime()),
    Date.parse(record.lastObservedAt),
  )
  return { ...record, lastObservedAt: new Date(last).toISOString() }
}

/** The sightings that matter: of equal ones by one source, only the oldest and the newest. */
function firstAndLastOf(all: readonly AppReading[]): readonly AppReading[] {
  if (all.length < 3) return all
  return [...Map.groupBy(all, ({ sighting }) => sighting).values()].flatMap((alike) => {
    if (alike.length < 3) return alike
    return [...Map.groupBy(alike, ({ reading }) => reading.source).values()].flatMap((some) => {
      const ordered = some.toSorted(bySeenTime)
      return ordered.length < 3 ? ordered : ordered.filter((_, at) => at === 0 || at === ordered.length - 1)
    })
  })
}

const bySeenTime = ({ reading: one }: AppReading, { reading: other }: AppReading) =>
  one.observedAt.getTime() - other.observedAt.getTime() || compareReadings(one, other)

const sightingRows = ({ reading, country, sightings, charted }: SightingsOfReading): SightingRow[] =>
  charted
    ? []
    : sightings.map((sighting) => ({
        storeId: sighting.storeId,
        country,
        observedAt: reading.observedAt,
        updateDate: updateDateOf(sighting.listing.updatedAt, reading.source),
        ...fieldMasksOf(sighting),
      }))

const oldRow = ({ sighting, reading, entry: { country } }: SeenInEntry): SightingRow => ({
  storeId: sighting.storeId,
  country,
  observedAt: reading.observedAt,
  updateDate: updateDateOf(sighting.listing.updatedAt, reading.source),
  stated: 0,
  hinted: 0,
})

interface Change {
  /** Undefined for a record that is new. */
  before: RecordState | undefined
  after: RecordState
}

/** The fields any of the sightings speaks about. A price is nothing without its currency. */
function fieldsSeen(entries: readonly SightingsOfReading[]): ListingField[] {
  const seen = new Set<ListingField>()
  for (const { sightings } of entries) {
    for (const { listing, hints } of sightings) {
      for (const field in listing) seen.add(field as ListingField)
      for (const field in hints) seen.add(field as ListingField)
    }
  }
  if (seen.has('price')) seen.add('currency')
  return [...seen]
}

async function writeRecords(
  db: Database,
  changes: readonly Change[],
  fields: readonly ListingField[],
): Promise<void> {
  const of = (some: readonly Change[]) => some.map((change) => change.after.record)
  const {
    fresh = [],
    changed = [],
    known = [],
    repeated = [],
  } = Object.groupBy(changes, ({ before, after }) => {
    if (!before) return 'fresh'
    if (!sameListing(before.record, after.record, fields)) return 'changed'
    return sameFirstSightings(before.record, after.record) ? 'repeated' : 'known'
  })
  await insertRecords(db, of(fresh))
  await registerForChecks(db, of(fresh))
  await updateRecords(db, of(changed), fields)
  await updateRecords(db, of(known), [])
  await renewRecords(db, of(repeated))
  const regrouped = fields.includes('categoryIds') ? changed : []
  await countGenres(db, [
    ...of(fresh).map((record) => ({ record, apps: 1 })),
    ...regrouped.flatMap(({ before, after }) => [
      ...(before ? [{ record: before.record, apps: -1 }] : []),
      { record: after.record, apps: 1 },
    ]),
  ])
}

function sameFirstSightings(one: AppRecord, other: AppRecord): boolean {
  return (
    one.firstObservedAt === other.firstObservedAt &&
    one.unreadable === other.unreadable &&
    isDeepStrictEqual(one.since, other.since)
  )
}

function sameListing(one: AppRecord, other: AppRecord, fields: readonly ListingField[]): boolean {
  if (one.facts === other.facts) return true
  return fields.every((field) => {
    const [before, after] = [one.facts[field] ?? null, other.facts[field] ?? null]
    return before === after || isDeepStrictEqual(before, after)
  })
}

const keyOf = (storeId: string, country: string) => `${storeId} ${country}`

function changedHistories({ before, after }: Change): FieldHistory[] {
  const { storeId, country } = after.record
  const of = (state: RecordState | undefined, field: TrackedField) => state?.versions.get(field) ?? []
  return [...new Set([...(before?.versions.keys() ?? []), ...after.versions.keys()])]
    .filter((field) => before?.versions.get(field) !== after.versions.get(field))
    .map((field) => ({ storeId, country, field, before: of(before, field), after: of(after, field) }))
}

/** Whether search must be told: the words, filters or tier of the app may differ. */
const searchIsStale = ({ before, after }: Change) => !before || isSearchAffected(before.record, after.record)

const recordsAfter = (changes: readonly Change[]) => changes.map(({ after }) => after.record)

function byApp(records: readonly AppRecord[]): AppRecord[][] {
  return [...Map.groupBy(records, (record) => record.storeId).values()]
}
