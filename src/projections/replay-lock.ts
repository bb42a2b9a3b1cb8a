import { sql } from 'kysely'
import { type Database, firstRow } from '../storage/database.ts'

/** Whether the transaction is now the only one that puts tables in the place of served ones, until it ends. */
export async function isAlone(held: Database): Promise<boolean> {
  const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext('rivalscope replay')) as free`
  return (await firstRow(held, lock))?.free ?? false
}
