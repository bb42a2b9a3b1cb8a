import { sql } from 'kysely'
import { type Database, firstRow } from '../../../storage/database.ts'
import type { RatingScale } from '../scores/rating-scale.ts'

/** One storefront's scale; null where it has too few apps for its own, or none is computed yet. */
export async function ratingScaleOf(db: Database, country: string): Promise<RatingScale | null> {
  const found = await firstRow(
    db,
    sql<RatingScale>`
      select apps, middle::float8 as middle, high::float8 as high from rating_scales where country = ${country}`,
  )
  return found ?? null
}

/**
 * Keeps the scales from being replaced until the transaction ends: pages stored in it are scored by them, and would be
 * missed when all terms are rescored.
 */
export async function holdRatingScales(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('rivalscope rating scales'))`.execute(db)
}
