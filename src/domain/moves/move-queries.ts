import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthOfInstant } from '../../storage/months.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { TrackedField } from '../../vocabulary/listing-fields.ts'
import type { FieldVersion } from '../catalogue/listing-versions.ts'
import { lateness } from '../paid-ads/coverage-queries.ts'

const idsOf = (storeIds: readonly string[]) => sql`${`{${[...new Set(storeIds)].join(',')}}`}::bigint[]`

/** The two captures of a chart that are compared, with the ranks of some apps. */
export interface ComparedChart extends ChartIdentity {
  newestAt: Date
  newestDepth: number
  /** Null where no capture of the same source is old enough. */
  olderAt: Date | null
  olderDepth: number | null
  /** `YYYY-MM-DD`; null as `olderAt`. */
  olderDay: string | null
  /** Ranks by app; null for none. */
  ranks: [storeId: string, now: number | null, then: number | null][] | null
}

/**
 * The newest capture of each chart of these storefronts and the newest one of the same source that is at least so many days older, and at
 * most twice as many.
 */
export function comparedCharts(
  db: Database,
  storeIds: readonly string[],
  countries: readonly string[],
  days: number,
): Promise<ComparedChart[]> {
  const sourceOf = (capture: RawBuilder<unknown>) => sql`split_part(${capture}.read_as, ' ', 1)`
  return rows(
    db,
    sql<ComparedChart>`
      with c as materialized (
        select * from charts where country = any(${[...new Set(countries)]}::text[])
      ), n as materialized (
        select s.chart_id, s.captured_at, s.day, s.returned, s.read_as
        from c join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
      ), latest as materialized (
        select s.chart_id, max(s.captured_at) as captured_at
        from n join chart_snapshots s on s.chart_id = n.chart_id
        where s.day between n.day - ${2 * days}::int and n.day - ${days}::int and ${sourceOf(sql`s`)} = ${sourceOf(sql`n`)}
          and s.captured_at >= n.captured_at - make_interval(days => ${2 * days + 3}) and s.captured_at < n.captured_at
        group by s.chart_id
      ), o as materialized (
        select s.chart_id, s.captured_at, s.day, s.returned
        from latest join chart_snapshots s on s.chart_id = latest.chart_id and s.captured_at = latest.captured_at
      ), looked as materialized (
        select n.chart_id, n.captured_at as newest_at, o.captured_at as older_at,
          ${monthOfInstant(sql`n.captured_at`)} as newest_month, ${monthOfInstant(sql`o.captured_at`)} as older_month
        from n join o using (chart_id)
      ), months as materialized (
        select newest_month as month from looked union select older_month from looked
      ), k as materialized (
        select store_id, chart_id, captured_at, rank from chart_ranks
        where store_id = any(${idsOf(storeIds)}) and month in (select month from months)
          -- Known before the parts of the months are chosen.
          and month between (select min(month) from months) and (select max(month) from months)
      ), ranked as materialized (
        select k.store_id, k.chart_id, max(k.rank) filter (where k.captured_at = looked.newest_at) as now,
          max(k.rank) filter (where k.captured_at = looked.older_at) as before
        from k join looked on looked.chart_id = k.chart_id and k.captured_at in (looked.newest_at, looked.older_at)
        group by k.store_id, k.chart_id
      )
      select c.country, c.kind, c.category_id as "categoryId", c.device, n.captured_at as "newestAt", n.returned as "newestDepth",
        o.captured_at as "olderAt", o.returned as "olderDepth", o.day::text as "olderDay",
        (select json_agg(json_build_array(store_id::text, now, before)) from ranked where ranked.chart_id = c.chart_id) as ranks
      from c join n using (chart_id) left join o using (chart_id)
      order by c.category_id, c.kind, c.device`,
  )
}

/** When a listing was observed, and the versions of fields that changed of late, each with the one before it. */
export interface ChangedListing {
  storeId: string
  country: string
  firstObservedAt: Date
  lastObservedAt: Date
  /** Oldest first within a field; null for none. */
  versions: ({ field: TrackedField } & FieldVersion)[] | null
}

/** The listings of apps, with what changed in the days before each was observed last. Apps without a record are left out. */
export function changedListings(
  db: Database,
  apps: readonly { storeId: string; country: string }[],
  days: number,
): Promise<ChangedListing[]> {
  const sent = apps.map(({ storeId, country }) => ({ storeId, country }))
  return rows(
    db,
    sql<ChangedListing>`
      with a as materialized (
        select r.store_id, r.country, r.first_observed_at, r.last_observed_at
        from json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text)
        join app_records r on r.store_id = sent."storeId" and r.country = sent.country
      ), v as materialized (
        select v.store_id, v.country, v.field, v.value, v.first_seen_at, v.last_seen_at,
          coalesce(lead(v.first_seen_at) over (partition by v.store_id, v.country, v.field order by v.first_seen_at),
            v.first_seen_at) as known_until
        from listing_versions v where v.store_id = any(${idsOf(sent.map(({ storeId }) => storeId))})
      ), changed as materialized (
        select v.store_id, v.country, json_agg(json_build_object('field', v.field, 'value', v.value,
            'firstSeenAt', ${milliseconds(sql`v.first_seen_at`)}, 'lastSeenAt', ${milliseconds(sql`v.last_seen_at`)})
          order by v.field, v.first_seen_at) as versions
        from v join a on a.store_id = v.store_id and a.country = v.country
          and v.known_until >= a.last_observed_at - make_interval(days => ${days})
        group by v.store_id, v.country
      )
      select a.store_id::text as "storeId", a.country, a.first_observed_at as "firstObservedAt",
        a.last_observed_at as "lastObservedAt", changed.versions
      from a left join changed on changed.store_id = a.store_id and changed.country = a.country`,
  )
}

/** Days that an ad may have run before it was first seen to count as started. */
const startedWithinDays = 7

/** Whether an ad started of late, by what its library says, or says nothing of. @param facts of the ad */
export const startedAround = (facts: RawBuilder<unknown>, since: RawBuilder<unknown>) => sql`
  (coalesce(${facts} ->> 'startedOn',
    -- Earlier than any date where only a bound of the start is known.
    case when jsonb_path_exists(${facts}, '$.byCountry[*].firstShownBy ? (@ != null)') then '0001' end, '9999')
    >= (${since} - make_interval(days => ${startedWithinDays}))::date::text)`

/** New ads or posts of an app. */
export interface NewCreatives<New> {
  storeId: string
  /** When any ad or post of the app was observed last. */
  lastAt: Date
  total: number
  /** The newest of them. */
  items: New[]
}

interface NewCreative {
  text: string | null
  by: string | null
  /** Milliseconds. */
  firstSeenAt: number
}

export interface NewAd extends NewCreative {
  platform: AdPlatform
  archiveId: string
  /** `YYYY-MM-DD`; null where the library does not say. */
  startedOn: string | null
}

export interface NewPost extends NewCreative {
  postId: string
  /** `YYYY-MM-DD`. */
  publishedOn: string
}

const milliseconds = (at: RawBuilder<unknown>) => sql`(extract(epoch from ${at}) * 1000)::double precision`

/**
 * Ads of apps that a source showed for the first time in the days before it showed any of the app last, newest first. What a library tells
 * late was shown when it told.
 */
export function newAds(
  db: Database,
  storeIds: readonly string[],
  days: number,
  most: number,
): Promise<NewCreatives<NewAd>[]> {
  return rows(
    db,
    sql<NewCreatives<NewAd>>`
      with l as materialized (
        select store_id, ad_number from ad_links where store_id = any(${idsOf(storeIds)})
      ), seen as materialized (
        select ad_number, first_observed_at + ${lateness(sql`platform`)} as first_at,
          last_observed_at + ${lateness(sql`platform`)} as last_at
        from ads where ad_number in (select ad_number from l)
      ), looked as materialized (
        select l.store_id, max(seen.last_at) as last_at from l join seen using (ad_number) group by l.store_id
      ), late as materialized (
        select l.store_id, l.ad_number, looked.last_at - make_interval(days => ${days}) as since
        from l join looked using (store_id) join seen using (ad_number)
        where seen.first_at >= looked.last_at - make_interval(days => ${days})
      ), shown as materialized (
        select distinct ad_number from ad_observations
        where ad_number in (select ad_number from late) and not brought
      ), a as materialized (
        select ad_number, platform, archive_id, facts, first_observed_at from ads
        where ad_number in (select ad_number from shown)
      ), fresh as materialized (
        select late.store_id, a.ad_number, a.platform, a.archive_id, a.first_observed_at, a.facts ->> 'advertiserName' as by,
          a.facts ->> 'startedOn' as began, count(*) over (partition by late.store_id)::int as total,
          row_number() over (partition by late.store_id order by a.first_observed_at desc,
            a.facts ->> 'startedOn' desc nulls last, a.platform, a.archive_id) as place
        from late join a using (ad_number) where ${startedAround(sql`a.facts`, sql`late.since`)}
      ), told as materialized (
        select * from fresh where place <= ${most}
      ), c as materialized (
        select distinct on (ad_number) ad_number, left(coalesce(facts ->> 'title', facts ->> 'body'), 200) as text
        from ad_creatives where ad_number in (select ad_number from told)
        order by ad_number, last_observed_at desc, position
      )
      select looked.store_id::text as "storeId", looked.last_at as "lastAt", coalesce(max(told.total), 0) as total,
        coalesce(json_agg(json_build_object('platform', told.platform, 'archiveId', told.archive_id, 'text', c.text,
            'by', left(told.by, 200), 'startedOn', told.began, 'firstSeenAt', ${milliseconds(sql`told.first_observed_at`)})
          order by told.place) filter (where told.place is not null), '[]') as items
      from looked left join told using (store_id) left join c using (ad_number)
      group by looked.store_id, looked.last_at`,
  )
}

/** Posts of apps that were published in the days before any of the app was observed last, newest first. */
export function newPosts(
  db: Database,
  storeIds: readonly string[],
  days: number,
  most: number,
): Promise<NewCreatives<NewPost>[]> {
  return rows(
    db,
    sql<NewCreatives<NewPost>>`
      with l as materialized (
        select distinct store_id, post_number from post_links where store_id = any(${idsOf(storeIds)})
      ), seen as materialized (
        select post_number, last_observed_at from posts where post_number in (select post_number from l)
      ), looked as materialized (
        select l.store_id, max(seen.last_observed_at) as last_at from l join seen using (post_number) group by l.store_id
      ), s as materialized (
        select post_number, published from post_search where post_number in (select post_number from l)
      ), fresh as materialized (
        select l.store_id, l.post_number, s.published, count(*) over (partition by l.store_id)::int as total,
          row_number() over (partition by l.store_id order by s.published desc, l.post_number) as place
        from l join looked using (store_id) join s using (post_number)
        where s.published >= extract(epoch from looked.last_at - make_interval(days => ${days}))
          and s.published <= extract(epoch from looked.last_at)
      ), told as materialized (
        select * from fresh where place <= ${most}
      ), p as materialized (
        select post_number, post_id, first_observed_at, left(coalesce(facts ->> 'title', facts ->> 'text'), 200) as text,
          left(coalesce(facts ->> 'author', facts ->> 'authorName'), 200) as by
        from posts where post_number in (select post_number from told)
      )
      select looked.store_id::text as "storeId", looked.last_at as "lastAt", coalesce(max(told.total), 0) as total,
        coalesce(json_agg(json_build_object('postId', p.post_id, 'text', p.text, 'by', p.by,
            'publishedOn', (to_timestamp(told.published) at time zone 'UTC')::date::text,
            'firstSeenAt', ${milliseconds(sql`p.first_observed_at`)})
          order by told.place) filter (where told.place is not null), '[]') as items
      from looked left join told using (store_id) left join p using (post_number)
      group by looked.store_id, looked.last_at`,
  )
}
