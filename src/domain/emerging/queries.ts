import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { fullListingSources } from '../add-app/add-app.ts'
import { genreAndDescendants } from '../catalogue/genres.ts'
import { hasRanksBefore } from '../charts/queries.ts'
import type { ReadingAtInstant } from './candidate-queries.ts'
import type { WatchedCapture } from './watched-charts.ts'

export interface CapturePlacesRow {
  chartId: number
  /** Milliseconds since 1970. */
  capturedAt: number
  readingId: string
  /** App ids in the order of their ranks, separated by commas; empty where an entry could not be read. */
  places: string
}

/** The places of some captures, one text each: reading them as lists is several times slower. */
export function placesOfCaptures(
  db: Database,
  captures: readonly WatchedCapture[],
): Promise<CapturePlacesRow[]> {
  const sent = captures.map(({ chartId, capturedAt }) => ({
    chartId,
    capturedAt: new Date(capturedAt).toISOString(),
  }))
  return rows(
    db,
    sql<CapturePlacesRow>`
      select s.chart_id as "chartId", (extract(epoch from s.captured_at) * 1000)::double precision as "capturedAt",
        s.reading_id as "readingId", array_to_string(s.store_ids, ',', '') as places
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent("chartId" integer, "capturedAt" timestamptz)
      join chart_snapshots s on s.chart_id = sent."chartId" and s.captured_at = sent."capturedAt"`,
  )
}

export interface ChartApp {
  chartId: number
  storeId: string
}

/** The apps among these that any capture of their chart showed before an instant. One index probe each. */
export function chartedBefore(
  db: Database,
  asked: readonly (ChartApp & { before: Date })[],
): Promise<ChartApp[]> {
  return rows(
    db,
    sql<ChartApp>`
      select distinct asked."chartId", asked."storeId"::text as "storeId"
      from json_to_recordset(${JSON.stringify(asked)}::json)
        as asked("chartId" integer, "storeId" bigint, before timestamptz)
      join chart_months k on k.store_id = asked."storeId" and k.chart_id = asked."chartId"
      where ${hasRanksBefore(sql`asked.before`)}`,
  )
}

export interface YoungApp {
  storeId: string
  releasedAt: Date
  /** The newest count; null when it was never measured. */
  ratings: number | null
}

/**
 * Apps released in a time range: those of the given ids, and of all others the most rated ones of a category, at most
 * `limit`.
 * @param categoryId null for all categories
 */
export function youngApps(
  db: Database,
  country: string,
  { from, until }: { from: Date; until: Date },
  categoryId: number | null,
  storeIds: readonly string[],
  limit: number,
): Promise<YoungApp[]> {
  const genres = categoryId === null ? undefined : genreAndDescendants(categoryId)
  const listed = genres ? sql`category_ids && ${`{${genres.join(',')}}`}::int[]` : sql`true`
  return rows(
    db,
    sql<YoungApp>`
      with young as materialized (
        select store_id, released_at, rating_count, category_ids
        from app_records
        where country = ${country} and coalesce(released_at, '-infinity') between ${from} and ${until}
      ), most_rated as (
        select store_id from young
        where rating_count > 0 and ${listed}
        order by rating_count desc, store_id limit ${limit}
      )
      select store_id::text as "storeId", released_at as "releasedAt", rating_count::double precision as ratings
      from young
      where store_id in (
        select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json)
        union all select store_id from most_rated)`,
  )
}

/** Release dates of these apps from the storefront's records; those without one are left out. */
export function releaseDatesOf(
  db: Database,
  country: string,
  storeIds: readonly string[],
): Promise<{ storeId: string; releasedAt: Date }[]> {
  return rows(
    db,
    sql<{ storeId: string; releasedAt: Date }>`
      select store_id::text as "storeId", released_at as "releasedAt"
      from app_records
      where country = ${country} and released_at is not null
        and store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
}

export interface RatingGrowth {
  storeId: string
  before: number
  now: number
  /** Times of the two observations. */
  beforeAt: Date
  nowAt: Date
  /** The reading behind the newer one. */
  readingId: string
}

/**
 * Two counts of ratings of each app: the newest of a window of UTC days, and the last one on or before its start, at most
 * `daysBefore` older, or else the first one in it. Apps with fewer than two are left out.
 */
export function ratingGrowth(
  db: Database,
  country: string,
  { start, end, daysBefore }: { start: string; end: string; daysBefore: number },
  storeIds: readonly string[],
): Promise<RatingGrowth[]> {
  return rows(
    db,
    sql<RatingGrowth>`
      select days.store_id::text as "storeId", newest.rating_count::double precision as now,
        newest.observed_at as "nowAt", newest.reading_id as "readingId",
        earlier.rating_count::double precision as before, earlier.observed_at as "beforeAt"
      from (
        select store_id, max(day) filter (where day > ${start}::date) as newest,
          coalesce(max(day) filter (where day <= ${start}::date), min(day)) as earlier
        from rating_observations
        where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
          and country = ${country} and day > ${start}::date - ${daysBefore}::int and day <= ${end}::date
        group by store_id
      ) days
      join rating_observations newest
        on newest.store_id = days.store_id and newest.country = ${country} and newest.day = days.newest
      join rating_observations earlier
        on earlier.store_id = days.store_id and earlier.country = ${country} and earlier.day = days.earlier
      where days.earlier < days.newest`,
  )
}

export interface KnownApp {
  storeId: string
  /** The first sighting in the storefront, from any source. */
  firstSeenAt: Date
  whole: boolean
  /** The reading with the release date; null when none has it. */
  released: ReadingAtInstant | null
}

/**
 * The stored records of apps in a storefront; those without one are left out. A record is whole when a source that states
 * whole listings showed the app; charts, and pages that list neighbours, leave thin records.
 */
export function knownApps(db: Database, country: string, storeIds: readonly string[]): Promise<KnownApp[]> {
  return rows(
    db,
    sql<KnownApp>`
      select r.store_id::text as "storeId", r.first_observed_at as "firstSeenAt", exists (
        select 1 from jsonb_array_elements(r.evidence) e
        where e ->> 'source' = any(${fullListingSources}::text[])) as whole, (
        select json_build_object('readingId', e ->> 'readingId', 'observedAt', e ->> 'observedAt')
        from jsonb_array_elements(r.evidence) e where e -> 'fields' ? 'releasedAt' limit 1) as released
      from app_records r
      where r.country = ${country}
        and r.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
}
