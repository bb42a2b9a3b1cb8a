import { sql } from 'kysely'
import { type Database, rows } from '../../src/storage/database.ts'
import { adsState } from './ads-state.ts'

/** Everything that follows from readings, in an order of its own and without the ids that every run makes anew. */
export async function derivedState(db: Database): Promise<Record<string, unknown[]>> {
  const records = await rows(
    db,
    sql<Record<string, unknown>>`
      select to_jsonb(r) - 'evidence' as record, (
        select jsonb_agg(entry - 'readingId' - 'fields' order by entry ->> 'observedAt', entry ->> 'source', entry -> 'fields')
        from jsonb_array_elements(r.evidence) as entry) as evidence, (
        select jsonb_object_agg(field, entry ->> 'observedAt')
        from jsonb_array_elements(r.evidence) as entry, jsonb_array_elements_text(entry -> 'fields') as field) as backing
      from app_records r order by store_id, country`,
  )
  const versions = await rows(
    db,
    sql<
      Record<string, unknown>
    >`select * from listing_versions order by store_id, country, field, first_seen_at`,
  )
  const ratings = await rows(
    db,
    sql<Record<string, unknown>>`
      select store_id::text as app, country, day::text as day, observed_at, rating_count::float8 as count, rating
      from rating_observations order by store_id, country, day`,
  )
  const lists = await rows(
    db,
    sql<Record<string, unknown>>`
      select store_id::text as app, country, kind, position, similar_id::text as similar, observed_at
      from apple_lists order by store_id, country, kind, position`,
  )
  const snapshots = await rows(
    db,
    sql<Record<string, unknown>>`
      select c.country, c.kind, c.category_id, c.device, s.captured_at, s.day::text as day, s.returned, s.requested,
        to_json(s.store_ids::text[]) as places
      from chart_snapshots s join charts c using (chart_id)
      order by c.country, c.kind, c.category_id, c.device, s.captured_at`,
  )
  const ranks = await rows(
    db,
    sql<Record<string, unknown>>`
      select k.store_id::text as app, c.country, c.kind, c.category_id, c.device, k.captured_at, k.rank
      from chart_ranks k join charts c using (chart_id)
      order by k.store_id, c.country, c.kind, c.category_id, c.device, k.captured_at`,
  )
  const search = await rows(
    db,
    sql<Record<string, unknown>>`
      select store_id::text as app, tier, name_terms::text as names, all_terms::text as terms
      from app_search order by store_id, tier`,
  )
  const words = await rows(
    db,
    sql<Record<string, unknown>>`select word, to_json(slips) as slips from search_words order by word`,
  )
  const posts = await rows(
    db,
    sql<Record<string, unknown>>`
      select post_id as post, author, facts, first_observed_at as first, last_observed_at as last,
        observation_count as count, (
          select jsonb_object_agg(field, entry ->> 'observedAt')
          from jsonb_array_elements(evidence) as entry, jsonb_array_elements_text(entry -> 'fields') as field) as backing
      from posts order by post_id collate "C"`,
  )
  const metrics = await rows(
    db,
    sql<Record<string, unknown>>`
      select post_id as post, observed_at, views::text as views, likes::text as likes, comments::text as comments,
        shares::text as shares, saves::text as saves
      from post_metrics join posts using (post_number) order by post_id collate "C", observed_at`,
  )
  const authors = await rows(
    db,
    sql<Record<string, unknown>>`
      select network, author, median_views as median, posts_measured as measured
      from post_authors order by network, author`,
  )
  const postGrounds = await rows(
    db,
    sql<Record<string, unknown>>`
      select post_id as post, store_id::text as app, kind, found_in as "foundIn", text, recorded_at as "recordedAt"
      from post_grounds join posts using (post_number) order by post_id collate "C", store_id, kind, found_in`,
  )
  const handles = await rows(
    db,
    sql<Record<string, unknown>>`
      select network, handle, store_id::text as app, basis, observed_at from known_handles
      order by network, handle, store_id`,
  )
  const postSearch = await rows(
    db,
    sql<Record<string, unknown>>`
      select post_id as post, terms::text as terms, published, views, engagement, outlier
      from post_search join post_standing using (post_number) join posts using (post_number)
      order by post_id collate "C"`,
  )
  return {
    records,
    versions,
    ratings,
    lists,
    snapshots,
    ranks,
    search,
    words,
    posts,
    metrics,
    authors,
    postGrounds,
    handles,
    postSearch,
    ...(await adsState(db)),
  }
}

/** How many readings and payloads are kept. */
export async function keptEvidence(db: Database): Promise<{ readings: number; payloads: number }> {
  const [found] = await rows(
    db,
    sql<{ readings: number; payloads: number }>`
      select (select count(*)::int from readings) as readings, (select count(*)::int from payloads) as payloads`,
  )
  return found ?? { readings: 0, payloads: 0 }
}
