import { sql } from 'kysely'
import { type Database, rows } from '../../src/storage/database.ts'

/** Everything derived from readings about ads, sorted and without the ids that differ in every run. */
export async function adsState(db: Database): Promise<Record<string, unknown[]>> {
  const ads = await rows(
    db,
    sql<Record<string, unknown>>`
      select platform, archive_id as ad, advertiser_id as advertiser, facts, unreadable, first_observed_at as first,
        last_observed_at as last, observation_count as count, (
          select jsonb_object_agg(field, entry ->> 'observedAt')
          from (select jsonb_array_elements(evidence) as entry offset 0) one, jsonb_array_elements_text(entry -> 'fields') as field) as backing
      from ads order by platform, archive_id`,
  )
  const observations = await rows(
    db,
    sql<Record<string, unknown>>`
      select platform, archive_id as ad, observed_at, active, ended_on::text as ended, reach_text as reach
      from ad_observations join ads using (ad_number) order by platform, archive_id, observed_at`,
  )
  const creatives = await rows(
    db,
    sql<Record<string, unknown>>`
      select creative_id, platform, archive_id as ad, position, c.facts, c.first_observed_at as first,
        c.last_observed_at as last
      from ad_creatives c join ads using (ad_number) order by creative_id`,
  )
  const grounds = await rows(
    db,
    sql<Record<string, unknown>>`
      select platform, archive_id as ad, store_id::text as app, kind, found_in, text, recorded_at
      from ad_grounds join ads using (ad_number) order by platform, archive_id, store_id, kind, found_in`,
  )
  const links = await rows(
    db,
    sql<Record<string, unknown>>`
      select platform, archive_id as ad, store_id::text as app
      from ad_links join ads using (ad_number) order by platform, archive_id, store_id`,
  )
  const searched = await rows(
    db,
    sql<Record<string, unknown>>`
      select platform, archive_id as ad, terms::text as terms, started, days_running as days, observed
      from ads join ad_search using (ad_number) join ad_sort_keys using (ad_number) order by platform, archive_id`,
  )
  return { ads, observations, creatives, grounds, links, searched }
}
