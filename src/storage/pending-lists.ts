import { sql } from 'kysely'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

/**
 * Folds what was just written into the indexes of words. Until then it is a list beside each of them that every search reads as a
 * whole; PostgreSQL would fold it by itself once it has 4 MB, or is vacuumed.
 */
export async function foldPendingLists(db: Database): Promise<void> {
  await prepared(sql`
    select gin_clean_pending_list(c.oid::regclass)
    from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`).execute(db)
}
