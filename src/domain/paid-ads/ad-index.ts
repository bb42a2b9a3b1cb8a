import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type AdToIndex, adDocument } from './ad-document.ts'

/**
 * Tells search about stored ads, new or changed, their creatives and transcripts: what it has of them is read from the
 * store. Two statements.
 */
export async function indexAds(db: Database, adNumbers: readonly string[]): Promise<void> {
  await indexAdRows(db, await adsToIndex(db, adNumbers))
}

/** As `indexAds`, for who has the rows at hand. One statement; an ad whose terms stay the same keeps them untouched. */
export async function indexAdRows(db: Database, ads: readonly AdToIndex[]): Promise<void> {
  if (ads.length === 0) return
  await sql`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(ads.map(adDocument))}::json) as sent("adNumber" bigint,
        terms text[], started double precision, "daysRunning" double precision, observed double precision)
    ), searched as (
      insert into ad_search (ad_number, terms, started)
      select "adNumber", array_to_tsvector(terms), coalesce(started, '-infinity') from sent
      on conflict (ad_number) do update set terms = excluded.terms, started = excluded.started
        where (ad_search.terms, ad_search.started) is distinct from (excluded.terms, excluded.started)
    )
    insert into ad_standing (ad_number, days_running, observed)
    select "adNumber", coalesce("daysRunning", '-infinity'), observed from sent
    on conflict (ad_number) do update set days_running = excluded.days_running, observed = excluded.observed
      where (ad_standing.days_running, ad_standing.observed)
        is distinct from (excluded.days_running, excluded.observed)`.execute(db)
}

function adsToIndex(db: Database, adNumbers: readonly string[]): Promise<AdToIndex[]> {
  return rows(
    db,
    sql<AdToIndex>`
      select a.ad_number::text as "adNumber", a.platform, a.advertiser_id as "advertiserId", a.facts,
        a.last_observed_at as "lastObservedAt", c.creatives, t.result ->> 'text' as transcript
      from ads a
      cross join lateral (
        select coalesce(json_agg(facts order by creative_id), '[]') as creatives
        from ad_creatives where ad_number = a.ad_number
      ) c
      left join ad_transcripts t
        on t.platform = a.platform and t.archive_id = a.archive_id and t.outcome = 'available'
      where a.ad_number = any(${adNumbers}::bigint[])`,
  )
}
