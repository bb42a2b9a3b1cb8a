import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { textArray } from '../creatives/saving.ts'

export interface SavedPostRow {
  postId: string
  postNumber: string
  savedAt: Date
}

/** Saved posts of an account that are stored, newest saved first; filtered by any of the networks and any of the tags. */
export function savedPostsOf(
  db: Database,
  accountId: string,
  { network, tag }: { network: readonly Network[] | undefined; tag: readonly string[] | undefined },
  { limit, after }: { limit: number; after: { savedAt: string; postId: string } | undefined },
): Promise<SavedPostRow[]> {
  const ofNetwork = network ? sql`p.network = any(${textArray(network)})` : sql`true`
  const tagged = tag ? sql`s.tags && ${textArray(tag)}` : sql`true`
  const beyond = after
    ? sql`(s.saved_at, s.post_id) < (${after.savedAt}::timestamptz, ${after.postId})`
    : sql`true`
  return rows(
    db,
    sql<SavedPostRow>`
      select s.post_id as "postId", p.post_number::text as "postNumber", s.saved_at as "savedAt"
      from saved_posts s join posts p using (post_id)
      where s.account_id = ${accountId} and ${ofNetwork} and ${tagged} and ${beyond}
      order by s.saved_at desc, s.post_id desc
      limit ${limit}`,
  )
}
