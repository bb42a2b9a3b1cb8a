import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** Which ads are walked through: all, or those of an account or an app. */
export interface AdWalk {
  /** Only what this account saved. */
  savedBy?: string
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Numbers of the ads that came in after one, `0` for the first, in that order. Empty at the end. */
export async function adsAfter(
  db: Database,
  { savedBy, storeId }: AdWalk,
  after: string,
  limit: number,
): Promise<string[]> {
  const saved = savedBy
    ? sql`exists (select from saved_ads s
        where s.account_id = ${savedBy}::uuid and s.platform = a.platform and s.archive_id = a.archive_id)`
    : sql`true`
  const linked = storeId
    ? sql`exists (select from ad_links l where l.store_id = ${storeId}::bigint and l.ad_number = a.ad_number)`
    : sql`true`
  const found = await rows(
    db,
    sql<{ number: string }>`
      select ad_number::text as number from ads a
      where ad_number > ${after}::bigint and ${saved} and ${linked} order by a.ad_number limit ${limit}`,
  )
  return found.map(({ number }) => number)
}
