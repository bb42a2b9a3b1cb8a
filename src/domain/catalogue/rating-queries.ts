import { sql } from 'kysely'
import type { Database } from '../../storage/database.ts'

/** How often and how well an app had been rated at one moment. */
export interface RatingObservation {
  storeId: string
  country: string
  /** RFC 3339. */
  observedAt: string
  ratingCount: number
  rating: number | null
  readingId: string
}

/** Writes observations, at most one for each app, storefront and UTC day; older ones than those stored are left out. */
export async function writeRatingObservations(
  db: Database,
  observations: readonly RatingObservation[],
): Promise<void> {
  if (observations.length === 0) return
  await sql`
    insert into rating_observations (store_id, country, day, observed_at, rating_count, rating, reading_id)
    select "storeId", country, ("observedAt" at time zone 'UTC')::date, "observedAt", "ratingCount", rating, "readingId"
    from json_to_recordset(${JSON.stringify(observations)}::json) as sent("storeId" bigint, country text,
      "observedAt" timestamptz, "ratingCount" bigint, rating double precision, "readingId" uuid)
    on conflict (store_id, country, day) do update
      set observed_at = excluded.observed_at, rating_count = excluded.rating_count, rating = excluded.rating,
        reading_id = excluded.reading_id
      where rating_observations.observed_at <= excluded.observed_at`.execute(db)
}
