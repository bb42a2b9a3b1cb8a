import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { NamedAd } from '../paid-ads/ad-kind.ts'
import { namedAds } from '../paid-ads/ads-anew.ts'
import { adAnalysis, adTranscript } from './ask.ts'

/**
 * Deletes the transcripts and analyses based on withdrawn readings: those of ads that no source has shown, and those that
 * quote the readings.
 */
export async function deleteResults(
  db: Database,
  ads: readonly NamedAd[],
  withdrawn: readonly string[],
): Promise<void> {
  const resting = await rows(
    db,
    sql<{ platform: string; archiveId: string }>`
      with n as materialized (select platform, archive_id from ${namedAds(ads)} n),
      shown as materialized (
        select platform, archive_id from ads a
        where (platform, archive_id) in (select platform, archive_id from n)
          and exists (select 1 from ad_observations o where o.ad_number = a.ad_number and not o.brought)
      ), quoting as materialized (
        select platform, archive_id from ad_analyses y
        where (platform, archive_id) in (select platform, archive_id from n)
          and exists (select 1 from unnest(${[...withdrawn]}::text[]) gone where position(gone in y.result::text) > 0)
      )
      select platform, archive_id as "archiveId" from n
      where (platform, archive_id) not in (select platform, archive_id from shown)
        or (platform, archive_id) in (select platform, archive_id from quoting)`,
  )
  const gone = namedAds(resting as NamedAd[])
  for (const table of ['ad_transcripts', 'ad_analyses'])
    await sql`delete from ${sql.table(table)} where (platform, archive_id) in ${gone}`.execute(db)
  await sql`
    delete from work
    where kind in (${adTranscript.name}, ${adAnalysis.name}) and status not in ('queued', 'running')
      and subject in (select platform || '/' || archive_id from ${gone} n)`.execute(db)
}
