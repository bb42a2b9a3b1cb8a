import { sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import { type StoredReading, storedReadings } from '../evidence/queries.ts'
import type { NamedAd, SeenCreative } from './ad.ts'
import { type AdObservationValues, observationSql } from './observed-values.ts'

interface Seen {
  adNumber: string
  readingId: string
  /** `Reading.key`. */
  key: string
  /** RFC 3339. */
  observedAt: string
  /** User-provided: replaced by evidence of a source. */
  brought: boolean
}

/**
 * Adds observations. There is one for each ad and instant, which merges all readings of that instant. Of two differing
 * values the greater wins, and the reading with the greater key is named, so that the result is independent of the order.
 * Then updates the counts of each ad: user-provided evidence counts only where no source showed the ad.
 */
export async function insertObservations(
  db: Database,
  observations: readonly (Seen & AdObservationValues)[],
): Promise<void> {
  const sent = JSON.stringify(observations)
  /** Whether the stored reading remains the named one. */
  const isNamed = sql`(not o.brought, o.reading_key, o.reading_id)
    > (not excluded.brought, excluded.reading_key, excluded.reading_id)`
  await sql`
    insert into ad_observations as o (ad_number, observed_at, ${observationSql.columns}, reading_id, reading_key, brought, reading_ids)
    select "adNumber", "observedAt", ${observationSql.greatest},
      (array_agg("readingId" order by key collate "C" desc, "readingId" desc) filter (where counts))[1],
      max(key collate "C") filter (where counts), bool_and(brought), array_agg(distinct "readingId")
    from (
      select *, not brought or bool_and(brought) over (partition by "adNumber", "observedAt") as counts
      from json_to_recordset(${sent}::json) as sent("adNumber" bigint, "observedAt" timestamptz,
        ${observationSql.sent}, "readingId" uuid, key text, brought boolean)
    ) seen
    group by "adNumber", "observedAt"
    on conflict (ad_number, observed_at) do update
      set ${observationSql.merged},
        reading_id = case when ${isNamed} then o.reading_id else excluded.reading_id end,
        reading_key = case when ${isNamed} then o.reading_key else excluded.reading_key end,
        brought = o.brought and excluded.brought,
        reading_ids = array(select distinct id from unnest(o.reading_ids || excluded.reading_ids) as id order by id)`.execute(
    db,
  )
  await sql`
    update ads a
    set first_observed_at = o.first, last_observed_at = o.last, observation_count = o.count
    from (
      select ad_number, coalesce(min(observed_at) filter (where not brought), min(observed_at)) as first,
        coalesce(max(observed_at) filter (where not brought), max(observed_at)) as last,
        coalesce(nullif(count(*) filter (where not brought), 0), count(*))::int as count
      from ad_observations
      where ad_number in (
        select "adNumber" from json_to_recordset(${sent}::json) as sent("adNumber" bigint))
      group by ad_number
    ) o
    where a.ad_number = o.ad_number`.execute(db)
}

/** Adds creatives, or updates their last observation: their fields are those of the newest one. */
export async function insertCreatives(
  db: Database,
  creatives: readonly (Seen & { creativeId: string; position: number; facts: SeenCreative })[],
): Promise<void> {
  if (creatives.length === 0) return
  /** Whether the stored row remains: of one instant the first place wins, then the greater fields, then the greater key. */
  const stays = sql`(not c.brought, c.last_observed_at, -c.position, c.facts::text collate "C", c.reading_key, c.reading_id)
    >= (not excluded.brought, excluded.last_observed_at, -excluded.position, excluded.facts::text collate "C",
      excluded.reading_key, excluded.reading_id)`
  await sql`
    insert into ad_creatives as c (creative_id, ad_number, position, facts, first_observed_at, last_observed_at, reading_id,
      reading_key, brought)
    select distinct on ("creativeId") "creativeId", "adNumber", position, facts,
      min("observedAt") over (partition by "creativeId", brought), "observedAt", "readingId", key, brought
    from json_to_recordset(${JSON.stringify(creatives)}::json) as sent(
      "creativeId" uuid, "adNumber" bigint, position smallint, facts jsonb, "observedAt" timestamptz, "readingId" uuid,
      key text, brought boolean)
    order by "creativeId", brought, "observedAt" desc, position, facts::text collate "C" desc, key collate "C" desc,
      "readingId" desc
    on conflict (creative_id, ad_number) do update
      set first_observed_at = least(case when c.brought <= excluded.brought then c.first_observed_at end,
          case when excluded.brought <= c.brought then excluded.first_observed_at end),
        last_observed_at = greatest(case when c.brought <= excluded.brought then c.last_observed_at end,
          case when excluded.brought <= c.brought then excluded.last_observed_at end),
        brought = c.brought and excluded.brought,
        position = case when ${stays} then c.position else excluded.position end,
        facts = case when ${stays} then c.facts else excluded.facts end,
        reading_id = case when ${stays} then c.reading_id else excluded.reading_id end,
        reading_key = case when ${stays} then c.reading_key else excluded.reading_key end`.execute(db)
}

/** Ads as rows of `platform` and `archive_id`, usable after `in` and `from`. */
export const adNamesAsRows = (ads: readonly NamedAd[]) => sql`
  (select platform, "archiveId" as archive_id from json_to_recordset(${JSON.stringify(
    ads.map(({ platform, archiveId }) => ({ platform, archiveId })),
  )}::json) as sent(platform text, "archiveId" text))`

/** The readings that show some ads, without withdrawn ones, in the order they were stored. */
export function analysesOfAds(db: Database, ads: readonly NamedAd[]): Promise<StoredReading[]> {
  return storedReadings(
    db,
    (columns) => sql`
      select ${columns}
      from readings join payloads using (payload_hash, month)
      where withdrawn_at is null and reading_id in (
        select unnest(o.reading_ids) from ${adNamesAsRows(ads)} n join ads a using (platform, archive_id)
        join ad_observations o using (ad_number))
      order by reading_id`,
  )
}

/** Tables derived from ads. */
const derivedFromAds = [
  'ad_observations',
  'ad_creatives',
  'ad_grounds',
  'ad_links',
  'ad_search',
  'ad_sort_keys',
] as const

/** Deletes everything derived about some ads, except their advertisers. */
export async function deleteAds(db: Database, ads: readonly NamedAd[]): Promise<void> {
  for (const table of derivedFromAds)
    await sql`
      delete from ${sql.table(table)} where ad_number in (
        select ad_number from ads where (platform, archive_id) in ${adNamesAsRows(ads)})`.execute(db)
  await sql`delete from ads where (platform, archive_id) in ${adNamesAsRows(ads)}`.execute(db)
}
