import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { lockKind } from '../creatives/kind.ts'
import { indexAds } from './ad-index.ts'
import { adKind } from './ad-kind.ts'
import { settleLinks } from './link-queries.ts'

/**
 * Applies decisions and transcripts that were made after the ads were stored: updates links that a decision affects or
 * affected, and the search index for transcripts made since a time.
 */
export async function settleAds(db: Database, since: Date): Promise<void> {
  await lockKind(db, adKind)
  const numbersOf = async (query: ReturnType<typeof sql>) =>
    ((await rows(db, query)) as { number: string }[]).map(({ number }) => number)
  const decided = await numbersOf(sql`
    select a.ad_number::text as number from ads a join ad_decisions d on d.platform = a.platform and d.archive_id = a.archive_id
    union
    select a.ad_number::text from ads a join ad_decisions d on d.platform = a.platform and d.advertiser_id = a.advertiser_id
    union
    select l.ad_number::text from ad_links l
    where not exists (select 1 from ad_grounds g where g.ad_number = l.ad_number and g.store_id = l.store_id)
    union
    select g.ad_number::text from ad_grounds g
    where not exists (select 1 from ad_links l where l.ad_number = g.ad_number and l.store_id = g.store_id)`)
  if (decided.length > 0)
    await settleLinks(db, sql`(select json_array_elements_text(${JSON.stringify(decided)}::json)::bigint)`)
  const heard = await numbersOf(sql`
    with heard as materialized (select platform, archive_id from ad_transcripts where made_at >= ${since})
    select a.ad_number::text as number from heard join ads a using (platform, archive_id)`)
  await indexAds(db, heard)
}
