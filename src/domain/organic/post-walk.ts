import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** Which posts are walked through: all, or those of an account or an app. */
export interface PostWalk {
  /** Only what this account saved. */
  savedBy?: string
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Numbers of the posts that came in after one, `0` for the first, in that order. Empty at the end. */
export async function postsAfter(
  db: Database,
  { savedBy, storeId }: PostWalk,
  after: string,
  limit: number,
): Promise<string[]> {
  const saved = savedBy
    ? sql`exists (select from saved_posts s where s.account_id = ${savedBy}::uuid and s.post_id = p.post_id)`
    : sql`true`
  const linked = storeId
    ? sql`exists (select from post_links g where g.store_id = ${storeId}::bigint and g.post_number = p.post_number)`
    : sql`true`
  const found = await rows(
    db,
    sql<{ number: string }>`
      select post_number::text as number from posts p
      where post_number > ${after}::bigint and ${saved} and ${linked} order by p.post_number limit ${limit}`,
  )
  return found.map(({ number }) => number)
}
