import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { writeDocuments } from '../creatives/search/search-writes.ts'
import { type AdToIndex, adDocument } from './ad-document.ts'
import { ads } from './ad-search.ts'

/**
 * Indexes stored ads for search, new or changed, with their creatives and transcripts, as read from the store. Two
 * statements.
 */
export async function indexAds(db: Database, adNumbers: readonly string[]): Promise<void> {
  await indexAdRows(db, await adsToIndex(db, adNumbers))
}

/** As `indexAds`, for callers that already have the rows. */
export const indexAdRows = (db: Database, rows: readonly AdToIndex[]): Promise<void> =>
  writeDocuments(db, ads, rows.map(adDocument))

function adsToIndex(db: Database, adNumbers: readonly string[]): Promise<AdToIndex[]> {
  return rows(
    db,
    sql<AdToIndex>`
      with a as materialized (
        select a.*, coalesce(c.creatives, '[]') as creatives
        from ads a
        left join (
          select ad_number, json_agg(facts order by creative_id) as creatives from ad_creatives
          where ad_number = any(${adNumbers}::bigint[]) group by ad_number
        ) c using (ad_number)
        where a.ad_number = any(${adNumbers}::bigint[])
      )
      select a.ad_number::text as "adNumber", a.platform, a.advertiser_id as "advertiserId", a.facts,
        a.last_observed_at as "lastObservedAt", a.creatives, t.result ->> 'text' as transcript
      from a
      left join ad_transcripts t
        on t.platform = a.platform and t.archive_id = a.archive_id and t.outcome = 'available'`,
  )
}
