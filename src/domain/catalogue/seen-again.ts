import { isDeepStrictEqual } from 'node:util'
import { compareReadings } from '../evidence/reading.ts'
import { newestFirst } from '../facts/evidence-list.ts'
import { backingOf } from '../facts/merge.ts'
import type { AppSighting, Listing, ListingField } from './listing.ts'
import type { Seen } from './listing-history.ts'
import { type AppRecord, isHintOf } from './record.ts'

/**
 * The record after sightings that say at later times exactly what it holds of their source, as charts do hundreds of times: then
 * the newest reading is the evidence, and neither the facts nor their first sightings change (they are the same objects). It is
 * what `addToRecord` answers for all of them. Undefined where it is not so simple.
 */
export function seenAgain(before: AppRecord, all: readonly Seen[]): AppRecord | undefined {
  const [first] = all
  if (!first) return undefined
  const { sighting } = first
  const { source } = first.reading
  let [oldest, newest] = [first.reading, first.reading]
  for (const { sighting: shown, reading } of all) {
    if (shown !== sighting || reading.source !== source || reading.broughtBy) return undefined
    const order = reading.observedAt.getTime() - newest.observedAt.getTime()
    if (order > 0 || (order === 0 && compareReadings(reading, newest) > 0)) newest = reading
    if (reading.observedAt < oldest.observedAt) oldest = reading
  }
  const held = before.evidence.find((entry) => entry.source === source && !entry.broughtBy)
  if (!held || held.observedAt >= oldest.observedAt.toISOString()) return undefined
  const { readingId, key, origin, timeBasis } = newest
  // What one reading says of one instant stands in one entry.
  if (before.evidence.some((entry) => entry.readingId === readingId)) return undefined
  if (!saysAgain(before, held.fields, sighting, first)) return undefined
  const observedAt = newest.observedAt.toISOString()
  const said = { readingId, key, source, origin, observedAt, timeBasis, fields: held.fields }
  return {
    ...before,
    evidence: before.evidence.map((entry) => (entry === held ? said : entry)).sort(newestFirst),
    lastObservedAt: observedAt > before.lastObservedAt ? observedAt : before.lastObservedAt,
  }
}

/**
 * Whether a sighting states all fields that a reading of its source holds, with their values; what else it hints at is held by
 * better sources.
 */
function saysAgain(
  before: AppRecord,
  held: readonly ListingField[],
  { listing, hints }: AppSighting,
  { reading: { source } }: Seen,
): boolean {
  let said = 0
  const saysOf = (stated: Partial<Listing>, isHint: boolean): boolean => {
    for (const name in stated) {
      const field = name as ListingField
      if (isHint && field in listing) continue
      if (held.includes(field)) {
        said++
        if (!isSame(before.facts[field] ?? null, stated[field] ?? null)) return false
      } else {
        const backing = isHint && isHintOf(source, field) ? backingOf(before, field) : undefined
        if (!backing || isHintOf(backing.source, field)) return false
      }
    }
    return true
  }
  return saysOf(listing, false) && saysOf(hints ?? {}, true) && said === held.length
}

const isSame = (one: unknown, other: unknown) => one === other || isDeepStrictEqual(one, other)
