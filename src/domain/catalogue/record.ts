import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import type { Reading } from '../evidence/reading.ts'
import { whichIsGreater } from './greater-value.ts'
import {
  type AppSighting,
  type Listing,
  type ListingField,
  type TrackedField,
  trackedFields,
} from './listing.ts'
import type { Version } from './listing-versions.ts'

/** A reading and the fields of a record that rest on it. */
export interface RecordEvidence {
  readingId: string
  /** `Reading.key`. */
  key: string
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
 * Adds what one reading saw of an app. The newest sighting of each field wins, whatever the order of arrival; of two of
 * one instant the greater value does. A hint holds until a better source states the field, however old its sighting is.
 */
export function addToRecord(
  before: AppRecord | undefined,
  country: string,
  sighting: AppSighting,
  reading: Reading,
): AppRecord {
  const observedAt = reading.observedAt.toISOString()
  if (!before) return newRecord(country, sighting, reading, observedAt)

  const record = withoutHintsFor(Object.keys(sighting.listing) as ListingField[], before)
  const seen = { ...hintsThatHelp(record, sighting), ...sighting.listing }
  const won = (Object.keys(seen) as ListingField[]).filter((field) =>
    wins(field, seen, record, reading, observedAt),
  )
  const firstObservedAt = observedAt < record.firstObservedAt ? observedAt : record.firstObservedAt
  return {
    ...record,
    listing: { ...record.listing, ...pick(seen, won) },
    since: sinceAfter(record, seen, observedAt, firstObservedAt),
    firstObservedAt,
    lastObservedAt: observedAt > record.lastObservedAt ? observedAt : record.lastObservedAt,
    evidence: evidenceAfter(record.evidence, won, reading, observedAt),
  }
}

/** Whether a field of a sighting takes the place of what is known of it. */
function wins(
  field: ListingField,
  seen: Partial<Listing>,
  record: AppRecord,
  reading: Reading,
  observedAt: string,
): boolean {
  const known = backingOf(record, field)
  if (!known || known.observedAt < observedAt) return true
  if (known.observedAt > observedAt) return false
  const order = whichIsGreater(field, seen, pick(record.listing, known.fields))
  return order === 0 ? reading.key > known.key : order > 0
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

/** Whether what is known of a field was only hinted. */
export function isHint(record: AppRecord, field: ListingField): boolean {
  const backing = backingOf(record, field)
  if (!backing) return false
  if (backing.source === 'app-store-page') return !statedByPages.has(field)
  return chartSources.has(backing.source) && !statedByCharts.has(field)
}

/** The record as it would be had no hint of these fields arrived. */
function withoutHintsFor(stated: readonly ListingField[], record: AppRecord): AppRecord {
  const hinted = new Set<string>(stated.filter((field) => isHint(record, field)))
  if (hinted.size === 0) return record
  return {
    ...record,
    since: Object.fromEntries(Object.entries(record.since).filter(([field]) => !hinted.has(field))),
    evidence: record.evidence
      .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !hinted.has(field)) }))
      .filter((entry) => entry.fields.length > 0),
  }
}

/** The evidence a field rests on; none where nobody measured it. */
export function backingOf(record: AppRecord, field: ListingField): RecordEvidence | undefined {
  return record.evidence.find((entry) => entry.fields.includes(field))
}

export function observedAtOf(record: AppRecord, field: ListingField): string | undefined {
  return backingOf(record, field)?.observedAt
}

/** The first sighting of a field that was measured. */
export function firstSeen(record: AppRecord, field: TrackedField): string | undefined {
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
  const own = new Set([...(evidence.find(isOwn)?.fields ?? []), ...won])
  const entry: RecordEvidence = {
    readingId: reading.readingId,
    key: reading.key,
    source: reading.source,
    origin: reading.origin,
    observedAt,
    timeBasis: reading.timeBasis,
    fields: [...own].sort(),
  }
  return [entry, ...kept].sort(newestFirst)
}

function newestFirst(one: RecordEvidence, other: RecordEvidence): number {
  if (one.observedAt !== other.observedAt) return one.observedAt < other.observedAt ? 1 : -1
  return one.key < other.key ? 1 : -1
}

export function pick(listing: Partial<Listing>, fields: readonly ListingField[]): Partial<Listing> {
  return Object.fromEntries(fields.filter((field) => field in listing).map((field) => [field, listing[field]]))
}
