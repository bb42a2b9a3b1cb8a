import { sql } from 'kysely'
import { type Database, firstRow } from '../storage/database.ts'

/** Takes the lock for replacing served tables, until the transaction ends. @returns false when another transaction holds it */
export async function isAlone(held: Database): Promise<boolean> {
  const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext('rivalscope replay')) as free`
  return (await firstRow(held, lock))?.free ?? false
}
