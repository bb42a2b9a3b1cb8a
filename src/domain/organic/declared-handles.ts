import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { countedChange } from '../evidence/changes.ts'
import type { AccountName } from './handle-queries.ts'
import { profileAt } from './post-links.ts'
import { handleKey } from './post-state.ts'

/** An account that the operator declared to be an app's. */
export interface DeclaredHandle extends AccountName {
  /** Digits. */
  storeId: string
}

/** The handle in a user's input, with or without `@` or as the address of the profile; undefined when invalid. */
export function parseHandle(network: Network, text: string): string | undefined {
  const profile = profileAt(text)
  if (profile) return profile.network === network ? profile.handle : undefined
  const bare = text.trim().replace(network === 'reddit' ? /^(?:\/?u\/|@)/i : /^@/, '')
  return /^[\p{L}\p{N}_.-]{1,60}$/u.test(bare) ? handleKey(bare) : undefined
}

/** Declares an account. Idempotent. @returns the stored posts by it, and those that mention it */
export async function declareHandle(
  db: Database,
  { network, handle, storeId }: DeclaredHandle,
): Promise<{ storedPosts: number }> {
  const declared = sql`
    insert into declared_handles (network, handle, store_id, declared_at)
    values (${network}, ${handle}, ${bigintId(storeId)}, clock_timestamp())
    on conflict do nothing
    returning store_id`
  await countedChange(declared, 'posts').execute(db)
  const found = await firstRow(
    db,
    sql<{ storedPosts: number }>`
      select count(*)::int as "storedPosts"
      from (
        select post_number from posts where network = ${network} and author = ${handle}
        union
        select post_number from post_mentions where network = ${network} and handle = ${handle}
      ) around`,
  )
  return { storedPosts: found?.storedPosts ?? 0 }
}

/** @returns whether it was declared */
export async function removeHandle(
  db: Database,
  { network, handle, storeId }: DeclaredHandle,
): Promise<boolean> {
  const gone = await rows(
    db,
    countedChange(
      sql<{ handle: string }>`
        delete from declared_handles
        where network = ${network} and handle = ${handle} and store_id = ${bigintId(storeId)}
        returning handle`,
      'posts',
    ),
  )
  return gone.length > 0
}

/** All declared accounts, by network and handle. */
export function declaredHandles(db: Database): Promise<(DeclaredHandle & { declaredAt: Date })[]> {
  return rows(
    db,
    sql<DeclaredHandle & { declaredAt: Date }>`
      select network, handle, store_id::text as "storeId", declared_at as "declaredAt"
      from declared_handles order by network, handle, declared_handles.store_id`,
  )
}
