import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import { countedChange } from '../evidence/changes.ts'

/** A decision that posts belong to an app or do not, which overrides all other evidence. */
export interface PostDecision {
  action: LinkAction
  /** Each once. */
  postIds: readonly string[]
  /** Digits. */
  storeId: string
  note: string | undefined
}

/** The first of these posts that is not stored. */
export async function firstNotStored(db: Database, postIds: readonly string[]): Promise<string | undefined> {
  const found = await rows(
    db,
    sql<{ postId: string }>`select post_id as "postId" from posts where post_id = any(${[...postIds]}::text[])`,
  )
  const stored = new Set(found.map(({ postId }) => postId))
  return postIds.find((postId) => !stored.has(postId))
}

/** Replaces earlier decisions about these posts and the app. */
export async function decidePosts(
  db: Database,
  { action, postIds, storeId, note }: PostDecision,
): Promise<void> {
  const decided = sql`
    insert into post_decisions (post_id, store_id, action, note, decided_at)
    select post_id, ${bigintId(storeId)}, ${action}, ${note ?? null}, clock_timestamp()
    from unnest(${[...postIds]}::text[]) as sent(post_id)
    order by post_id
    on conflict (post_id, store_id) do update
      set action = excluded.action, note = excluded.note, decided_at = excluded.decided_at
    returning post_id`
  await countedChange(decided, 'posts').execute(db)
}

/** Withdraws the decisions about these posts and the app. @returns the posts that had any */
export async function withdrawPostDecisions(
  db: Database,
  postIds: readonly string[],
  storeId: string,
): Promise<string[]> {
  const gone = await rows(
    db,
    countedChange(
      sql<{ postId: string }>`
        delete from post_decisions where post_id = any(${[...postIds]}::text[]) and store_id = ${bigintId(storeId)}
        returning post_id as "postId"`,
      'posts',
    ),
  )
  return gone.map(({ postId }) => postId)
}

export interface CurrentDecision {
  postId: string
  storeId: string
  action: LinkAction
  note: string | null
  decidedAt: Date
}

/** All decisions in force, newest first; including those on posts that are no longer stored. */
export function postDecisions(db: Database): Promise<CurrentDecision[]> {
  return rows(
    db,
    sql<CurrentDecision>`
      select post_id as "postId", store_id::text as "storeId", action, note, decided_at as "decidedAt"
      from post_decisions order by decided_at desc, post_id, post_decisions.store_id`,
  )
}
