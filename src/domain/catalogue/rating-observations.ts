import type { Database } from '../../storage/database.ts'
import type { Reading } from '../evidence/reading.ts'
import type { AppSighting } from './listing.ts'
import { type RatingObservation, writeRatingObservations } from './rating-queries.ts'

/**
 * Keeps what sightings state about ratings: of each app, storefront and UTC day the last observation. An observation
 * that arrives late loses against a later one of its day; of two of one instant the one stored later stays. Sightings
 * that state no count are passed over.
 */
export async function storeRatings(
  db: Database,
  harvests: readonly { reading: Reading; country: string; sightings: readonly AppSighting[] }[],
): Promise<void> {
  const last = new Map<string, RatingObservation>()
  for (const { reading, country, sightings } of harvests) {
    const observedAt = reading.observedAt.toISOString()
    for (const { storeId, listing } of sightings) {
      const { ratingCount, rating = null } = listing
      if (ratingCount === undefined || ratingCount === null) continue
      const key = `${storeId} ${country} ${observedAt.slice(0, 10)}`
      if ((last.get(key)?.observedAt ?? '') > observedAt) continue
      last.set(key, { storeId, country, observedAt, ratingCount, rating, readingId: reading.readingId })
    }
  }
  await writeRatingObservations(db, [...last.values()])
}
