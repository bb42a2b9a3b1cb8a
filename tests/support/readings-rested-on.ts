import { sql } from 'kysely'
import { type Database, rows } from '../../src/storage/database.ts'

/** For everything derived from readings about posts and ads the content of its reading, sorted. */
export function readingsRestedOn(db: Database): Promise<Record<string, unknown>[]> {
  return rows(
    db,
    sql<Record<string, unknown>>`
      with places as (
        select concat_ws(' ', 'field of', post_id, place, field, entry ->> 'timeBasis') as what,
          (entry ->> 'readingId')::uuid as reading_id
        from posts, jsonb_array_elements(evidence) with ordinality as e(entry, place),
          jsonb_array_elements_text(entry -> 'fields') as field
        union all
        select concat_ws(' ', 'counts of', post_id, observed_at), reading_id
        from post_metrics join posts using (post_number)
        union all
        select concat_ws(' ', 'ground of', post_id, store_id, kind, found_in), reading_id
        from post_grounds join posts using (post_number)
        union all
        select concat_ws(' ', 'field of', platform, archive_id, place, field, entry ->> 'timeBasis'),
          (entry ->> 'readingId')::uuid
        from ads, jsonb_array_elements(evidence) with ordinality as e(entry, place),
          jsonb_array_elements_text(entry -> 'fields') as field
        union all
        select concat_ws(' ', 'observation of', platform, archive_id, observed_at), reading_id
        from ad_observations join ads using (ad_number)
        union all
        select concat_ws(' ', 'creative', creative_id), reading_id from ad_creatives
        union all
        select concat_ws(' ', 'ground of', platform, archive_id, store_id, kind, found_in), reading_id
        from ad_grounds join ads using (ad_number)
      )
      select what, encode(payload_hash, 'hex') as content
      from places join readings using (reading_id) order by what collate "C"`,
  )
}
