import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type StoredReading, storedReading } from '../evidence/queries.ts'
import type { NamedAd } from '../paid-ads/ad-kind.ts'
import { adAnalysis, adTranscript } from './ask.ts'

const namedAds = (ads: readonly NamedAd[]) => sql`
  (select platform, "archiveId" as archive_id from json_to_recordset(${JSON.stringify(
    ads.map(({ platform, archiveId }) => ({ platform, archiveId })),
  )}::json) as sent(platform text, "archiveId" text))`

/** The readings that show some ads, those that were withdrawn aside, in the order they were stored. */
export function readingsOfAds(db: Database, ads: readonly NamedAd[]): Promise<StoredReading[]> {
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

/** What is kept of an ad beside itself. */
const derivedFromAds = [
  'ad_observations',
  'ad_creatives',
  'ad_grounds',
  'ad_links',
  'ad_search',
  'ad_standing',
] as const

/**
 * Empties everything that is derived about some ads, with the transcripts and analyses that rest on readings that were
 * withdrawn: those of ads no source has shown, and those that quote them.
 */
export async function forgetAdsOf(
  db: Database,
  ads: readonly NamedAd[],
  withdrawn: readonly string[],
): Promise<void> {
  const resting = await rows(
    db,
    sql<{ platform: string; archiveId: string }>`
      select platform, archive_id as "archiveId" from ${namedAds(ads)} n
      where not exists (
          select from ads a join ad_observations o using (ad_number)
          where a.platform = n.platform and a.archive_id = n.archive_id and not o.brought)
        or exists (
          select from ad_analyses y, unnest(${[...withdrawn]}::text[]) as gone
          where y.platform = n.platform and y.archive_id = n.archive_id and position(gone in y.result::text) > 0)`,
  )
  const gone = namedAds(resting as NamedAd[])
  for (const table of ['ad_transcripts', 'ad_analyses'])
    await sql`delete from ${sql.table(table)} where (platform, archive_id) in ${gone}`.execute(db)
  await sql`
    delete from work
    where kind in (${adTranscript.name}, ${adAnalysis.name}) and status not in ('queued', 'running')
      and subject in (select platform || '/' || archive_id from ${gone} n)`.execute(db)
  for (const table of derivedFromAds)
    await sql`
      delete from ${sql.table(table)} where ad_number in (
        select ad_number from ads where (platform, archive_id) in ${namedAds(ads)})`.execute(db)
  await sql`delete from ads where (platform, archive_id) in ${namedAds(ads)}`.execute(db)
}
