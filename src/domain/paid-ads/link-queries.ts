import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { GroundKind } from '../../vocabulary/creatives.ts'
import type { Ground } from '../creatives/grounds.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { BroughtBy, KeyedReading } from '../evidence/reading.ts'

/**
 * Recomputes which apps ads belong to: by a decision about the ad, else about its advertiser, else by the grounds in the ad
 * itself. All readers of links use `ad_links`, so every writer of grounds or decisions calls this in the same transaction.
 * @param adNumbers an SQL expression for the numbers of ads, usable after `in`
 * @param storeId only links to this app; all when left out
 */
export async function settleLinks(
  db: Database,
  adNumbers: RawBuilder<unknown>,
  storeId?: string,
): Promise<void> {
  const asked = (app: RawBuilder<unknown>) => (storeId ? sql`${app} = ${bigintId(storeId)}` : sql`true`)
  await sql`
    delete from ad_links where ad_number in ${adNumbers} and ${asked(sql`store_id`)}`.execute(db)
  await sql`
    insert into ad_links (ad_number, store_id)
    select a.ad_number, candidate.store_id
    from ads a
    cross join lateral (
      select store_id from ad_grounds g where g.ad_number = a.ad_number
      union
      select store_id from ad_decisions d where d.platform = a.platform and d.archive_id = a.archive_id
      union
      select store_id from ad_decisions d where d.platform = a.platform and d.advertiser_id = a.advertiser_id
    ) candidate
    left join ad_decisions own
      on own.platform = a.platform and own.archive_id = a.archive_id and own.store_id = candidate.store_id
    left join ad_decisions whole
      on whole.platform = a.platform and whole.advertiser_id = a.advertiser_id and whole.store_id = candidate.store_id
    where a.ad_number in ${adNumbers} and ${asked(sql`candidate.store_id`)}
      and coalesce(own.action, whole.action, 'link') = 'link'
    on conflict do nothing`.execute(db)
}

/** One ground of a link in force. */
export type LinkGroundRow = {
  number: string
  storeId: string
  kind: GroundKind | 'manual' | 'advertiser-link'
  foundIn: Ground['foundIn'] | 'advertiser' | 'decision'
  text: string
  recordedAt: Date
} & (KeyedReading | ({ [Name in keyof KeyedReading]: null } & { broughtBy: BroughtBy }))

/** The grounds of the links of ads, unordered; links that a user removed are left out. */
export function linkGrounds(db: Database, adNumbers: readonly string[]): Promise<LinkGroundRow[]> {
  return rows(
    db,
    sql<LinkGroundRow>`
      select l.ad_number::text as number, l.store_id::text as "storeId", g.kind, g.found_in as "foundIn", g.text,
        g.recorded_at as "recordedAt", ${namedReadingAt(sql`r`, sql`g.recorded_at`)}
      from ad_links l join ad_grounds g using (ad_number, store_id) join readings r using (reading_id)
      where l.ad_number = any(${adNumbers}::bigint[])
      union all
      select l.ad_number::text, l.store_id::text,
        case when d.archive_id is null then 'advertiser-link' else 'manual' end,
        case when d.archive_id is null and d.note is null then 'advertiser' else 'decision' end,
        coalesce(d.note, d.advertiser_id, d.archive_id), d.decided_at, null, null, null, null, null,
        json_build_object('accountId', d.account_id, 'door', d.door)
      from ad_links l
      join ads a using (ad_number)
      join ad_decisions d on d.platform = a.platform and d.store_id = l.store_id and d.action = 'link'
        and (d.archive_id = a.archive_id or d.advertiser_id = a.advertiser_id)
      where l.ad_number = any(${adNumbers}::bigint[])`,
  )
}
