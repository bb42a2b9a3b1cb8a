import type { Reading } from '../evidence/reading.ts'
import { backingOf, pick } from '../facts/merge.ts'
import {
  type AppSighting,
  fieldBits,
  historyText,
  type Listing,
  type TrackedField,
  trackedFields,
} from './listing.ts'
import { partedBy, type Sighting, type Version, withSightings } from './listing-versions.ts'
import { type AppRecord, firstSeen, isHint, type RecordState } from './record.ts'

/** What one reading saw of an app. */
export interface Seen {
  sighting: AppSighting
  reading: Reading
}

/** A version whose sightings are asked for, because another value parts it. */
export interface PartedVersion {
  field: TrackedField
  /** Whether the version rests on hints. */
  hinted: boolean
  version: Version
}

/** What new sightings meet in the history of a field. */
export interface Meeting {
  field: TrackedField
  hinted: boolean
  known: readonly Version[]
  sightings: readonly Sighting[]
}

/** Versions that new sightings part. */
export function partedVersions(meetings: readonly Meeting[]): PartedVersion[] {
  return meetings.flatMap(({ field, hinted, known, sightings }) =>
    partedBy(known, sightings).map((version) => ({ field, hinted, version })),
  )
}

/**
 * The versions of the fields that were seen to change, after new sightings.
 * @param within all instants at which the field was seen in a parted version, as far as they were stored before
 */
export function versionsAfter(
  before: RecordState | undefined,
  meetings: readonly Meeting[],
  within: (version: Version, meeting: Meeting) => readonly number[],
): RecordState['versions'] {
  const versions = new Map(before?.versions)
  for (const meeting of meetings) {
    const { field, known, sightings } = meeting
    const now = withSightings(known, sightings, (version) => within(version, meeting))
    if (now.length > 1) versions.set(field, now)
    else versions.delete(field)
  }
  return versions
}

/**
 * What new sightings of an app meet in the histories of its fields; fields of which they say nothing new are left out.
 * @param after the record with the sightings added
 */
export function meetingsIn(
  before: RecordState | undefined,
  after: AppRecord,
  seen: readonly Seen[],
): Meeting[] {
  return (Object.keys(trackedFields) as TrackedField[]).flatMap((field) => {
    const hinted = isHint(after, field)
    const sightings = seen.flatMap(({ sighting, reading }) => {
      const listing = hinted ? { ...sighting.hints, ...sighting.listing } : sighting.listing
      return field in listing ? [{ value: historyText(listing, field), at: reading.observedAt.getTime() }] : []
    })
    if (sightings.length === 0) return []
    const known = before && isHint(before.record, field) === hinted ? versionsOf(before, field) : []
    const stored = before?.versions.has(field)
    const isNews = stored || sightings.some(({ value }) => value !== known[0]?.value)
    return isNews ? [{ field, hinted, known, sightings }] : []
  })
}

/**
 * The versions of a field, oldest first; none where it was never measured. One that was always seen with one value has no
 * stored versions: its single version is the record itself.
 */
export function versionsOf({ record, versions }: RecordState, field: TrackedField): readonly Version[] {
  const stored = versions.get(field)
  if (stored) return stored
  const backing = backingOf(record, field)
  const since = firstSeen(record, field)
  if (!backing || since === undefined) return []
  const value = historyText(pick<Listing>(record.facts, backing.fields), field)
  return [{ value, firstSeenAt: Date.parse(since), lastSeenAt: Date.parse(backing.observedAt) }]
}

/** Tracked fields as bits. */
export interface Masks {
  stated: number
  hinted: number
}

/** What a sighting shows of the tracked fields. */
export function masksOf({ listing, hints }: AppSighting): Masks {
  return { stated: maskOf(listing), hinted: maskOf(hints) }
}

const maskOf = (fields: object | undefined) =>
  Object.keys(fields ?? {}).reduce((bits, field) => bits | (fieldBits[field as TrackedField] ?? 0), 0)
