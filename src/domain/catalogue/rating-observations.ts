import type { Database } from '../../storage/database.ts'
import type { Reading } from '../evidence/reading.ts'
import { whichIsGreater } from './greater-value.ts'
import type { AppSighting } from './listing.ts'
import { type RatingObservation, writeRatingObservations } from './rating-queries.ts'

/**
 * Keeps what sightings state about ratings: of each app, storefront and UTC day the last observation. An observation
 * that arrives late loses against a later one of its day; of two of one instant the one with more ratings counts.
 * Sightings that state no count are passed over.
 */
export async function storeRatings(
  db: Database,
  entries: readonly { reading: Reading; country: string; sightings: readonly AppSighting[] }[],
): Promise<void> {
  const last = new Map<string, RatingObservation>()
  for (const { reading, country, sightings } of entries) {
    const observedAt = reading.observedAt.toISOString()
    for (const { storeId, listing } of sightings) {
      const { ratingCount, rating = null } = listing
      if (ratingCount === undefined || ratingCount === null) continue
      const key = `${storeId} ${country} ${observedAt.slice(0, 10)}`
      const { readingId, key: readingKey } = reading
      const seen = { storeId, country, observedAt, ratingCount, rating, readingId, readingKey }
      const known = last.get(key)
      if (!known || isLater(seen, known)) last.set(key, seen)
    }
  }
  await writeRatingObservations(db, [...last.values()])
}

function isLater(seen: RatingObservation, known: RatingObservation): boolean {
  if (seen.observedAt !== known.observedAt) return seen.observedAt > known.observedAt
  const order = whichIsGreater('ratingCount', seen, known)
  return order === 0 ? seen.readingKey > known.readingKey : order > 0
}
