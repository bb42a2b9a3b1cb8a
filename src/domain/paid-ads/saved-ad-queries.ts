import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { type Saving, savedChanges, savedValues } from '../creatives/saving.ts'
import type { NamedAd } from './ad-queries.ts'

/** Saves a stored ad for an account, or changes what it wrote. Undefined when the ad is not stored. */
export function saveAd(
  db: Database,
  accountId: string,
  { platform, archiveId }: NamedAd,
  saving: Saving,
): Promise<{ adNumber: string; created: boolean } | undefined> {
  return firstRow(
    db,
    sql<{ adNumber: string; created: boolean }>`
      with ad as (
        select ad_number, platform, archive_id from ads where platform = ${platform} and archive_id = ${archiveId}
      ), saved as (
        insert into saved_ads as s (account_id, platform, archive_id, note, tags)
        select ${accountId}::uuid, platform, archive_id, ${savedValues(saving)} from ad
        on conflict (account_id, platform, archive_id) do update set ${savedChanges(saving)}
        -- Only a row that was there before is locked for its change, which xmax shows.
        returning xmax = 0 as created
      )
      select ad_number::text as "adNumber", created from ad, saved`,
  )
}

/**
 * Takes an ad off the saved ads of an account, whether or not it is among them.
 * @returns whether the ad is stored
 */
export async function unsaveAd(
  db: Database,
  accountId: string,
  { platform, archiveId }: NamedAd,
): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      with gone as (
        delete from saved_ads where account_id = ${accountId} and platform = ${platform} and archive_id = ${archiveId}
      )
      select from ads where platform = ${platform} and archive_id = ${archiveId}`,
  )
  return found !== undefined
}
