import {
  allListingFields,
  type ListingField,
  listingFieldRow,
  type TrackedField,
  trackedFields,
} from '../../vocabulary/listing-fields.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import { evidenceEntryKey, type Reading } from '../evidence/reading.ts'
import {
  evidenceOfField,
  factsOfReading,
  type Known,
  mergeKnown,
  type Precedence,
  pickStated,
  type Stated,
} from '../facts/merge.ts'
import { canonicalJson } from '../idempotency/canonical.ts'
import { type AppSighting, historyText, isTrackedField, type Listing } from './listing.ts'
import { compareFieldTexts, type FieldVersion } from './listing-versions.ts'

/** The merged facts of one app in one storefront. */
export interface AppRecord extends Known<Listing> {
  storeId: string
  country: string
  facts: Stated<Listing> & Pick<Listing, 'name'>
  firstObservedAt: string
  lastObservedAt: string
  /** First sighting of the tracked fields that were not in the first observation of the record. */
  since: Partial<Record<TrackedField, string>>
  /**
   * What others observed last of fields that an answer holds, which can prove to be an old copy. Only where records are written; left
   * out where there is nothing.
   */
  undated?: Known<Listing>
}

/** A record and the versions of the fields that were seen to change. */
export interface RecordState {
  record: AppRecord
  versions: Map<TrackedField, FieldVersion[]>
}

/**
 * Adds what one reading saw of an app. A hint holds until a better source states the field, however old its sighting is; of
 * two statements of one instant the greater value holds.
 */
export function addToRecord(
  before: AppRecord | undefined,
  country: string,
  { storeId, listing, hints }: AppSighting,
  reading: Reading,
): AppRecord {
  const observedAt = reading.observedAt.toISOString()
  const stated = { ...hints, ...listing }
  const said = factsOfReading<Listing>(stated, reading)
  const known = before ? mergeKnown<Listing>(before, said, statedOverHinted) : said
  const { firstObservedAt: first = observedAt, lastObservedAt: last = observedAt } = before ?? {}
  const firstObservedAt = observedAt < first ? observedAt : first
  const undated = undatedAfter(before, said, known)
  return {
    storeId,
    country,
    facts: known.facts as AppRecord['facts'],
    evidence: known.evidence,
    firstObservedAt,
    lastObservedAt: observedAt > last ? observedAt : last,
    since: before ? sinceAfter(before, stated, reading, firstObservedAt) : {},
    ...(undated && { undated }),
    ...(before?.unreadable && { unreadable: before.unreadable }),
  }
}

/** The last values from other readings of the fields that an answer states. Without hints, since every answer states those fields. */
function undatedAfter(
  before: AppRecord | undefined,
  said: Known<Listing>,
  now: Known<Listing>,
): Known<Listing> | undefined {
  let undated: Known<Listing> | undefined
  for (const known of [before?.undated, before, said]) {
    const beneath = known && knownBeneath(known, now)
    if (beneath) undated = undated ? mergeKnown(undated, beneath, statedOverHinted) : beneath
  }
  return undated
}

const answers = new Set<SourceName>(['itunes-search', 'itunes-lookup'])
/** Sources whose answers can be old copies from Apple's caches: its APIs, and tables made of their answers. */
const copied = new Set<SourceName>([...answers, 'catalogue-file'])

/** Whether answers of a source can be old copies. */
export const canBeOldCopy = (source: SourceName): boolean => copied.has(source)

function knownBeneath({ facts, evidence }: Known<Listing>, now: Known<Listing>): Known<Listing> | undefined {
  const beneath = evidence.flatMap((entry) => {
    if (answers.has(entry.source)) return []
    const fields = entry.fields.filter((field) => {
      if (isHintOf(entry.source, field)) return false
      const holding = evidenceOfField(now, field)
      return holding && canBeOldCopy(holding.source) && evidenceEntryKey(holding) !== evidenceEntryKey(entry)
    })
    return fields.length > 0 ? [{ ...entry, fields }] : []
  })
  if (beneath.length === 0) return undefined
  return {
    facts: pickStated(
      facts,
      beneath.flatMap(({ fields }) => fields),
    ),
    evidence: beneath,
  }
}

/** A record without the answers of these instants, which proved to be old copies. @param instants milliseconds */
export function withoutOldCopies(record: AppRecord, instants: ReadonlySet<number>): AppRecord {
  const { undated, ...rest } = record
  const without = ({ facts, evidence }: Known<Listing>): Known<Listing> => {
    const left = evidence.filter(
      (entry) => !canBeOldCopy(entry.source) || !instants.has(Date.parse(entry.observedAt)),
    )
    return {
      facts: pickStated(
        facts,
        left.flatMap(({ fields }) => fields),
      ),
      evidence: left,
    }
  }
  const known = undated ? mergeKnown(without(record), without(undated), statedOverHinted) : without(record)
  return { ...rest, facts: known.facts as AppRecord['facts'], evidence: known.evidence }
}

const chartSources = new Set<SourceName>(['apple-rss-v2', 'apple-rss-v1', 'apple-rss-legacy', 'chart-file'])
const statedBy = (source: 'chart' | 'page'): ReadonlySet<ListingField> =>
  new Set(allListingFields.filter((field) => listingFieldRow(field).statedBy?.includes(source)))
const statedByCharts = statedBy('chart')
const statedByPages = statedBy('page')

/** Whether a source's value of a field is only a hint. */
function isHintOf(source: SourceName, field: ListingField): boolean {
  if (source === 'app-store-page' || source === 'app-store-search') return !statedByPages.has(field)
  return chartSources.has(source) && !statedByCharts.has(field)
}

/** Fields that only have a meaning together, such as price and currency: they are taken from the same reading. */
const reported: Partial<Record<ListingField, (listing: Stated<Listing>) => (string | null)[]>> = {
  currency: (listing) => [historyText(listing, 'price')],
  categoryIds: (listing) => [historyText(listing, 'primaryCategoryId')],
  rating: ({ ratingCount, rating }) => [digits(ratingCount), digits(rating)],
  ratingCount: ({ ratingCount, rating }) => [digits(ratingCount), digits(rating)],
  ratingCurrentVersion: (listing) => [digits(listing.ratingCountCurrentVersion)],
  ratingCountCurrentVersion: (listing) => [digits(listing.ratingCountCurrentVersion)],
}

/** Numbers as text in the order of the numbers. */
const digits = (value: number | null | undefined) =>
  typeof value === 'number' ? value.toFixed(4).padStart(24, '0') : null

const statedOverHinted: Precedence<Listing> = {
  weight: (field, { source }) => (isHintOf(source, field) ? 0 : 1),
  compare: compareObservedValues,
}

/** Whether a field's value is only a hint. */
export function isOnlyHinted(record: AppRecord, field: ListingField): boolean {
  const backing = evidenceOfField(record, field)
  return backing !== undefined && isHintOf(backing.source, field)
}

export function observedAtOf(record: AppRecord, field: ListingField): string | undefined {
  return evidenceOfField(record, field)?.observedAt
}

/** The first sighting of a field that was measured. */
export function firstSeen(record: AppRecord, field: TrackedField): string | undefined {
  if (observedAtOf(record, field) === undefined) return undefined
  return record.since[field] ?? record.firstObservedAt
}

/** For a field with only hints, the first statement counts as the first sighting; later hints do not count as sightings. */
function sinceAfter(
  before: AppRecord,
  stated: Stated<Listing>,
  { source, observedAt }: Reading,
  firstObservedAt: string,
): AppRecord['since'] {
  const at = observedAt.toISOString()
  const firsts = new Map<TrackedField, string>()
  for (const field in stated) {
    if (!isTrackedField(field)) continue
    const known = firstSeen(before, field)
    const first = firstOfTwo(before, field, known, source, at)
    if (first !== known) firsts.set(field, first)
  }
  if (firsts.size === 0 && firstObservedAt === before.firstObservedAt) return before.since
  const since: AppRecord['since'] = {}
  for (const field of trackedFields) {
    const first = firsts.get(field) ?? firstSeen(before, field)
    if (first !== undefined && first !== firstObservedAt) since[field] = first
  }
  return since
}

function firstOfTwo(
  before: AppRecord,
  field: TrackedField,
  known: string | undefined,
  source: SourceName,
  at: string,
): string {
  if (known === undefined) return at
  const [hintedBefore, hinted] = [isOnlyHinted(before, field), isHintOf(source, field)]
  if (hintedBefore !== hinted) return hinted ? known : at
  return at < known ? at : known
}

/**
 * Which of two observations of one instant shows the greater value of a field: above zero for the first, below for the
 * second, zero where they show the same.
 */
export function compareObservedValues(
  field: ListingField,
  one: Stated<Listing>,
  other: Stated<Listing>,
): number {
  const [mine, theirs] = [one, other].map((listing) => [
    ...(reported[field]?.(listing) ?? []),
    ...(isTrackedField(field) ? [historyText(listing, field)] : []),
    listing[field] === null || listing[field] === undefined ? null : canonicalJson(listing[field]),
  ])
  for (const [index, value] of (mine ?? []).entries()) {
    const order = compareFieldTexts(value, theirs?.[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}
