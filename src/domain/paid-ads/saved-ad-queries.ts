import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import {
  type Mark,
  type MarkFate,
  markFate,
  type Saving,
  savedChanges,
  savedValues,
  tagsOfSent,
} from '../creatives/saving.ts'
import type { NamedAd } from './ad-kind.ts'

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

/** Writes marks of an account on ads as they were in another store; each ad once. @returns their fates, in order */
export async function bringAdMarks(
  db: Database,
  accountId: string,
  marks: readonly (Mark & NamedAd)[],
): Promise<MarkFate[]> {
  const found = await rows(
    db,
    sql<{ fate: MarkFate }>`
      with sent as (
        select * from rows from (json_to_recordset(${JSON.stringify(marks)}::json) as (
          platform text, "archiveId" text, "savedAt" timestamptz, note text, tags json)) with ordinality as sent(
          platform, "archiveId", "savedAt", note, tags, place)
      ), written as (
        insert into saved_ads (account_id, platform, archive_id, saved_at, note, tags)
        select ${accountId}::uuid, a.platform, a.archive_id, sent."savedAt", sent.note, ${tagsOfSent}
        from sent join ads a on a.platform = sent.platform and a.archive_id = sent."archiveId"
        order by a.platform, a.archive_id
        on conflict do nothing
        returning platform, archive_id
      )
      select ${markFate(sql`a.archive_id is not null`, sql`w.archive_id is not null`)} as fate
      from sent
      left join ads a on a.platform = sent.platform and a.archive_id = sent."archiveId"
      left join written w on w.platform = a.platform and w.archive_id = a.archive_id
      left join saved_ads s
        on s.account_id = ${accountId}::uuid and s.platform = a.platform and s.archive_id = a.archive_id
      order by place`,
  )
  return found.map(({ fate }) => fate)
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
