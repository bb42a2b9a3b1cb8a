import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type StoredReading, storedReading } from '../evidence/queries.ts'
import type { NamedAd } from './ad-kind.ts'

/** Ads as rows of `platform` and `archive_id`, usable after `in` and `from`. */
export const namedAds = (ads: readonly NamedAd[]) => sql`
  (select platform, "archiveId" as archive_id from json_to_recordset(${JSON.stringify(
    ads.map(({ platform, archiveId }) => ({ platform, archiveId })),
  )}::json) as sent(platform text, "archiveId" text))`

/** The readings that show some ads, without withdrawn ones, in the order they were stored. */
export function analysesOfAds(db: Database, ads: readonly NamedAd[]): Promise<StoredReading[]> {
  return rows(
    db,
    sql<StoredReading>`
      select ${storedReading}
      from readings join payloads using (payload_hash, month)
      where withdrawn_at is null and reading_id in (
        select unnest(o.reading_ids) from ${namedAds(ads)} n join ads a using (platform, archive_id)
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
export async function dropAds(db: Database, ads: readonly NamedAd[]): Promise<void> {
  for (const table of derivedFromAds)
    await sql`
      delete from ${sql.table(table)} where ad_number in (
        select ad_number from ads where (platform, archive_id) in ${namedAds(ads)})`.execute(db)
  await sql`delete from ads where (platform, archive_id) in ${namedAds(ads)}`.execute(db)
}
