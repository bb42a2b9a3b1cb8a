import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { writtenRows } from '../../storage/written-rows.ts'
import type { NamedReading, Reading } from '../evidence/reading.ts'
import type { AppSighting } from './listing.ts'
import { compareObservedValues } from './record.ts'

/** The rating count of an app at one moment. */
interface RatingMoment {
  observedAt: Date
  ratingCount: number
}

/** Ratings gained between two observations; undefined without two suitable ones. */
interface RatingGrowth<Moment extends RatingMoment> {
  days: number
  added: { value: number; from: Moment; to: Moment } | undefined
}

/** Windows of growth, in days. */
const growthDays = [7, 30, 90] as const

/**
 * The growth up to the newest observation: against the newest one that is at least so many UTC days older, and at most
 * twice as many, since over a longer time it would be another number.
 * @param observations newest first
 */
export function ratingGrowth<Moment extends RatingMoment>(
  observations: readonly Moment[],
): RatingGrowth<Moment>[] {
  const [newest] = observations
  return growthDays.map((days) => {
    const older = newest && observations.find((moment) => daysBetween(moment, newest) >= days)
    if (!newest || !older || daysBetween(older, newest) > 2 * days) return { days, added: undefined }
    const value = newest.ratingCount - older.ratingCount
    return { days, added: { value, from: older, to: newest } }
  })
}

const utcDay = ({ observedAt }: RatingMoment) => Math.floor(observedAt.getTime() / 86_400_000)
const daysBetween = (one: RatingMoment, other: RatingMoment) => utcDay(other) - utcDay(one)

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
  const order = compareObservedValues('ratingCount', seen, known)
  return order === 0 ? seen.readingKey > known.readingKey : order > 0
}

/** The rating and the rating count of an app at one moment. */
interface RatingObservation {
  storeId: string
  country: string
  /** RFC 3339. */
  observedAt: string
  ratingCount: number
  rating: number | null
  readingId: string
  /** `Reading.key`. */
  readingKey: string
}

/**
 * Writes observations, at most one for each app, storefront and UTC day; older ones than those stored are left out, and of
 * those of one instant the ones with fewer ratings.
 */
async function writeRatingObservations(
  db: Database,
  observations: readonly RatingObservation[],
): Promise<void> {
  if (observations.length === 0) return
  await sql`
    insert into rating_observations as o (store_id, country, day, observed_at, rating_count, rating, reading_id, reading_key)
    select "storeId", country, ("observedAt" at time zone 'UTC')::date, "observedAt", "ratingCount", rating, "readingId",
      "readingKey"
    from json_to_recordset(${JSON.stringify(observations)}::json) as sent("storeId" bigint, country text,
      "observedAt" timestamptz, "ratingCount" bigint, rating double precision, "readingId" uuid, "readingKey" text)
    on conflict (store_id, country, day) do update
      set observed_at = excluded.observed_at, rating_count = excluded.rating_count, rating = excluded.rating,
        reading_id = excluded.reading_id, reading_key = excluded.reading_key
      where (o.observed_at, o.rating_count, coalesce(o.rating, -1), o.reading_key)
        < (excluded.observed_at, excluded.rating_count, coalesce(excluded.rating, -1), excluded.reading_key)`.execute(
    db,
  )
  writtenRows(db).add('rating_observations', observations.length)
}

/** Removes ratings from answers that proved to be old copies. @param proven as in `OldCopies` */
export async function removeOldCopyRatings(
  db: Database,
  proven: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  if (proven.size === 0) return
  const gone = [...proven].flatMap(([key, instants]) => {
    const [storeId, country] = key.split(' ')
    return [...instants].map((at) => ({ storeId, country, at: new Date(at) }))
  })
  await sql`
    delete from rating_observations o
    using json_to_recordset(${JSON.stringify(gone)}::json) as sent("storeId" bigint, country text, at timestamptz)
    where o.store_id = sent."storeId" and o.country = sent.country and o.day = (sent.at at time zone 'UTC')::date
      and o.observed_at = sent.at`.execute(db)
}

/** A stored observation; lists are newest first. */
export interface ObservedRating extends Omit<NamedReading, 'readingId'> {
  observedAt: Date
  ratingCount: number
  rating: number | null
}

/** The newest observations of an app in a storefront, at most one a UTC day, newest first. */
export function newestRatings(
  db: Database,
  storeId: string,
  country: string,
  limit: number,
): Promise<ObservedRating[]> {
  return rows(
    db,
    sql<ObservedRating>`
      with newest as materialized (
        select * from rating_observations
        where store_id = ${bigintId(storeId)} and country = ${country}
        order by day desc limit ${limit}
      )
      select o.observed_at as "observedAt", o.rating_count::double precision as "ratingCount", o.rating,
        r.source, r.origin, r.time_basis as "timeBasis"
      from newest o join readings r using (reading_id)
      order by o.day desc`,
  )
}

/** How many UTC days have an observation of the app, these instants among them. */
export async function observedDays(
  db: Database,
  storeId: string,
  country: string,
  instants: readonly string[],
): Promise<number> {
  const found = await rows(
    db,
    sql<{ days: number }>`
      select count(*)::int as days from (
        select day from rating_observations where store_id = ${bigintId(storeId)} and country = ${country}
        union
        select (value::timestamptz at time zone 'UTC')::date from json_array_elements_text(${JSON.stringify(instants)}::json)
      ) known`,
  )
  return found[0]?.days ?? 0
}
