import { sql } from 'kysely'
import type { Database } from './database.ts'
import { asPrepared } from './prepared.ts'

/**
 * Merges recent writes into the GIN indexes of words. Until then they are in a pending list beside each index, which every
 * search reads as a whole; PostgreSQL itself merges it at 4 MB or on vacuum.
 */
export async function foldPendingLists(db: Database): Promise<void> {
  await asPrepared(sql`
    select gin_clean_pending_list(c.oid::regclass)
    from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`).execute(db)
}
