import { isDeepStrictEqual } from 'node:util'
import type { Origin, Reading, SourceName, TimeBasis } from '../evidence/reading.ts'
import {
  type AppSighting,
  historyText,
  type Listing,
  type ListingField,
  sameValue,
  type TrackedField,
  trackedFields,
} from './listing.ts'
import { addSighting, type Version } from './listing-versions.ts'

/** A reading and the fields of a record that rest on it. */
export interface RecordEvidence {
  readingId: string
  source: SourceName
  origin: Origin
  /** RFC 3339. */
  observedAt: string
  timeBasis: TimeBasis
  fields: ListingField[]
}

/** What is known of one app in one storefront. */
export interface AppRecord {
  storeId: string
  country: string
  listing: Partial<Listing> & Pick<Listing, 'name'>
  firstObservedAt: string
  lastObservedAt: string
  /** First sighting of the tracked fields that were not in the first observation of the record. */
  since: Partial<Record<TrackedField, string>>
  /** Newest first. A field named by none of them was never measured. */
  evidence: RecordEvidence[]
}

/** A record and the versions of the fields that were seen to change. */
export interface RecordState {
  record: AppRecord
  versions: Map<TrackedField, Version[]>
}

/**
 * Adds what one reading saw of an app. The newest sighting of each field wins, whatever the order of arrival; an older
 * one only adds to the history. A hint holds until a better source states the field, however old its sighting is.
 */
export function addToRecord(
  before: RecordState | undefined,
  country: string,
  sighting: AppSighting,
  reading: Reading,
): RecordState {
  const observedAt = reading.observedAt.toISOString()
  if (!before) return { record: newRecord(country, sighting, reading, observedAt), versions: new Map() }

  const state = withoutHintsFor(Object.keys(sighting.listing) as ListingField[], before)
  const { record } = state
  const seen = { ...hintsThatHelp(record, sighting), ...sighting.listing }
  const versions = versionsAfter(state, seen, reading.observedAt.getTime())
  const won = (Object.keys(seen) as ListingField[]).filter(
    (field) => (observedAtOf(record, field) ?? '') <= observedAt,
  )
  const firstObservedAt = observedAt < record.firstObservedAt ? observedAt : record.firstObservedAt
  return {
    versions,
    record: {
      ...record,
      listing: { ...record.listing, ...pick(seen, won) },
      since: sinceAfter(record, seen, observedAt, firstObservedAt),
      firstObservedAt,
      lastObservedAt: observedAt > record.lastObservedAt ? observedAt : record.lastObservedAt,
      evidence: evidenceAfter(record.evidence, won, reading, observedAt),
    },
  }
}

/** A chart that repeats what is known renews the evidence of a record once in this time. */
const renewedAfterMs = 7 * 86_400_000

/**
 * Whether a sighting in a chart says nothing new: charts repeat names a hundred times a day, the captures themselves
 * are kept, and rewriting the record for each would cost more than storing the chart.
 */
export function repeatsKnown(
  { record, versions }: RecordState,
  sighting: AppSighting,
  reading: Reading,
): boolean {
  if (!chartSources.has(reading.source)) return false
  const observedAt = reading.observedAt.toISOString()
  if (observedAt < record.firstObservedAt) return false
  const staleBefore = new Date(reading.observedAt.getTime() - renewedAfterMs).toISOString()
  const known = (field: ListingField, value: unknown) =>
    !versions.has(field as TrackedField) &&
    (observedAtOf(record, field) ?? '') >= staleBefore &&
    isDeepStrictEqual(record.listing[field], value)
  const stated = Object.entries(sighting.listing).every(([field, value]) => known(field as ListingField, value))
  return (
    stated &&
    Object.entries(hintsThatHelp(record, sighting)).every(([field, value]) =>
      known(field as ListingField, value),
    )
  )
}

function newRecord(country: string, sighting: AppSighting, reading: Reading, observedAt: string): AppRecord {
  const listing = { ...sighting.hints, ...sighting.listing }
  return {
    storeId: sighting.storeId,
    country,
    listing,
    firstObservedAt: observedAt,
    lastObservedAt: observedAt,
    since: {},
    evidence: evidenceAfter([], Object.keys(listing) as ListingField[], reading, observedAt),
  }
}

/** A hint fills what nobody has measured, or what other hints filled. */
function hintsThatHelp(record: AppRecord, sighting: AppSighting): Partial<Listing> {
  const hinted = Object.keys(sighting.hints ?? {}) as ListingField[]
  return pick(
    sighting.hints ?? {},
    hinted.filter((field) => observedAtOf(record, field) === undefined || isHint(record, field)),
  )
}

const chartSources = new Set<SourceName>(['apple-rss-v2', 'apple-rss-v1', 'apple-rss-legacy', 'chart-file'])
/** What the sources state that know little of an app; whatever else they say is a hint. */
const statedByCharts = new Set<ListingField>(['name', 'developer'])
const statedByPages = new Set<ListingField>([
  'name',
  'subtitle',
  'previews',
  'inAppPurchases',
  'compatibility',
  'languagesShown',
  'sizeShown',
  'copyright',
])

function isHint(record: AppRecord, field: ListingField): boolean {
  const backing = record.evidence.find((entry) => entry.fields.includes(field))
  if (!backing) return false
  if (backing.source === 'app-store-page') return !statedByPages.has(field)
  return chartSources.has(backing.source) && !statedByCharts.has(field)
}

/** The state as it would be had no hint of these fields arrived. */
function withoutHintsFor(stated: readonly ListingField[], state: RecordState): RecordState {
  const { record, versions } = state
  const hinted = new Set<string>(stated.filter((field) => isHint(record, field)))
  if (hinted.size === 0) return state
  const keep = ([field]: readonly [string, unknown]) => !hinted.has(field)
  return {
    versions: new Map([...versions].filter(keep)),
    record: {
      ...record,
      since: Object.fromEntries(Object.entries(record.since).filter(keep)),
      evidence: record.evidence
        .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !hinted.has(field)) }))
        .filter((entry) => entry.fields.length > 0),
    },
  }
}

export function observedAtOf(record: AppRecord, field: ListingField): string | undefined {
  return record.evidence.find((entry) => entry.fields.includes(field))?.observedAt
}

function firstSeen(record: AppRecord, field: TrackedField): string | undefined {
  if (observedAtOf(record, field) === undefined) return undefined
  return record.since[field] ?? record.firstObservedAt
}

function sinceAfter(record: AppRecord, seen: Partial<Listing>, observedAt: string, firstObservedAt: string) {
  const since: AppRecord['since'] = {}
  for (const field of Object.keys(trackedFields) as TrackedField[]) {
    const before = firstSeen(record, field)
    const first = field in seen && (before === undefined || observedAt < before) ? observedAt : before
    if (first !== undefined && first !== firstObservedAt) since[field] = first
  }
  return since
}

function evidenceAfter(
  evidence: readonly RecordEvidence[],
  won: readonly ListingField[],
  reading: Reading,
  observedAt: string,
): RecordEvidence[] {
  if (won.length === 0) return [...evidence]
  const taken = new Set(won)
  const isOwn = (entry: RecordEvidence) =>
    entry.readingId === reading.readingId && entry.observedAt === observedAt
  const kept = evidence
    .filter((entry) => !isOwn(entry))
    .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !taken.has(field)) }))
    .filter((entry) => entry.fields.length > 0)
  const own = evidence.find(isOwn)?.fields ?? []
  const entry: RecordEvidence = {
    readingId: reading.readingId,
    source: reading.source,
    origin: reading.origin,
    observedAt,
    timeBasis: reading.timeBasis,
    fields: [...new Set([...own, ...won])],
  }
  return [entry, ...kept].sort((one, other) =>
    one.observedAt < other.observedAt ? 1 : one.observedAt > other.observedAt ? -1 : 0,
  )
}

/** A field that never changed has no stored versions; its single version is the record itself. */
function versionsAfter(state: RecordState, seen: Partial<Listing>, at: number): Map<TrackedField, Version[]> {
  const versions = new Map(state.versions)
  for (const field of Object.keys(trackedFields) as TrackedField[]) {
    if (!(field in seen)) continue
    const stored = versions.get(field)
    const value = historyText(seen, field)
    const lastSeen = observedAtOf(state.record, field)
    const since = firstSeen(state.record, field)
    if (lastSeen === undefined || since === undefined) continue
    const current = historyText(state.record.listing, field)
    if (!stored && sameValue(field, current, value)) continue
    const known = stored ?? [
      { value: current, firstSeenAt: Date.parse(since), lastSeenAt: Date.parse(lastSeen) },
    ]
    versions.set(
      field,
      addSighting(known, value, at, (one, other) => sameValue(field, one, other)),
    )
  }
  return versions
}

function pick(listing: Partial<Listing>, fields: readonly ListingField[]): Partial<Listing> {
  return Object.fromEntries(fields.map((field) => [field, listing[field]]))
}
