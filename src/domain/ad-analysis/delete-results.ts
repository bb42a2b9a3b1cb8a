import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { NamedAd } from '../paid-ads/ad-kind.ts'
import { namedAds } from '../paid-ads/ads-anew.ts'
import { adAnalysis, adTranscript } from './ask.ts'

/**
 * Deletes the transcripts and analyses of ads that rest on readings that were withdrawn: those of ads no source has shown, and
 * those that quote them.
 */
export async function deleteResults(
  db: Database,
  ads: readonly NamedAd[],
  withdrawn: readonly string[],
): Promise<void> {
  const resting = await rows(
    db,
    sql<{ platform: string; archiveId: string }>`
      select platform, archive_id as "archiveId" from ${namedAds(ads)} n
      where not exists (
          select 1 from ads a join ad_observations o using (ad_number)
          where a.platform = n.platform and a.archive_id = n.archive_id and not o.brought)
        or exists (
          select 1 from ad_analyses y, unnest(${[...withdrawn]}::text[]) as gone
          where y.platform = n.platform and y.archive_id = n.archive_id and position(gone in y.result::text) > 0)`,
  )
  const gone = namedAds(resting as NamedAd[])
  for (const table of ['ad_transcripts', 'ad_analyses'])
    await sql`delete from ${sql.table(table)} where (platform, archive_id) in ${gone}`.execute(db)
  await sql`
    delete from work
    where kind in (${adTranscript.name}, ${adAnalysis.name}) and status not in ('queued', 'running')
      and subject in (select platform || '/' || archive_id from ${gone} n)`.execute(db)
}
