import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import {
  type Mark,
  type MarkFate,
  markFate,
  type Saving,
  savedChanges,
  savedValues,
  tagsOfSent,
  textArray,
} from '../creatives/saving.ts'

/** Saves a stored post for an account, or changes what it wrote. Undefined when the post is not stored. */
export function savePost(
  db: Database,
  accountId: string,
  postId: string,
  saving: Saving,
): Promise<{ postNumber: string; created: boolean } | undefined> {
  return firstRow(
    db,
    sql<{ postNumber: string; created: boolean }>`
      with post as (
        select post_number, post_id from posts where post_id = ${postId}
      ), saved as (
        insert into saved_posts as s (account_id, post_id, note, tags)
        select ${accountId}::uuid, post_id, ${savedValues(saving)} from post
        on conflict (account_id, post_id) do update set ${savedChanges(saving)}
        -- Only a row that was there before is locked for its change, which xmax shows.
        returning xmax = 0 as created
      )
      select post_number::text as "postNumber", created from post, saved`,
  )
}

/** Writes marks of an account on posts as they were in another store; each post once. @returns their fates, in order */
export async function bringPostMarks(
  db: Database,
  accountId: string,
  marks: readonly (Mark & { postId: string })[],
): Promise<MarkFate[]> {
  const found = await rows(
    db,
    sql<{ fate: MarkFate }>`
      with sent as (
        select * from rows from (json_to_recordset(${JSON.stringify(marks)}::json) as (
          "postId" text, "savedAt" timestamptz, note text, tags json)) with ordinality as sent(
          "postId", "savedAt", note, tags, place)
      ), written as (
        insert into saved_posts (account_id, post_id, saved_at, note, tags)
        select ${accountId}::uuid, p.post_id, sent."savedAt", sent.note, ${tagsOfSent}
        from sent join posts p on p.post_id = sent."postId"
        order by p.post_id
        on conflict do nothing
        returning post_id
      )
      select ${markFate(sql`p.post_id is not null`, sql`w.post_id is not null`)} as fate
      from sent
      left join posts p on p.post_id = sent."postId"
      left join written w on w.post_id = p.post_id
      left join saved_posts s on s.account_id = ${accountId}::uuid and s.post_id = p.post_id
      order by place`,
  )
  return found.map(({ fate }) => fate)
}

/**
 * Takes a post off the saved list of an account, whether or not it is on it.
 * @returns whether the post is stored
 */
export async function unsavePost(db: Database, accountId: string, postId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      with gone as (delete from saved_posts where account_id = ${accountId} and post_id = ${postId})
      select from posts where post_id = ${postId}`,
  )
  return found !== undefined
}

export interface SavedPostRow {
  postId: string
  postNumber: string
  savedAt: Date
}

/** Saved posts of an account that are stored, newest saved first; with any of the networks and any of the tags. */
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
