import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../storage/database.ts'
import { isStatementTimeout } from '../storage/store.ts'
import { rebuildSchema, replacedSchema, swappedTablesIn } from './rebuild-tables.ts'

/** Most time that readers may wait for tables to be swapped; then the swap gives up and is retried. */
export const maxLockWaitMs = 50

/** Most time to wait for a write in progress when blocking writers; readers do not wait. */
export const maxWriterWaitMs = 5_000

/** The tables were locked by others for the whole time. */
export class TablesInUseError extends Error {
  override name = 'TablesInUseError'
}

const mostMinutes = 10

/**
 * Retries an action until no lock blocks it, with growing pauses, so that others can proceed; also when its transaction was ended
 * because this process was stopped inside it.
 * @throws TablesInUseError
 */
export async function retryUntilUnlocked<T>(perform: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = Date.now() + mostMinutes * 60_000
  for (let pause = 50; ; pause = Math.min(2_000, pause * 1.5)) {
    signal.throwIfAborted()
    try {
      return await perform()
    } catch (error) {
      if (!isStatementTimeout(error) && !hasCode(error, deadlock) && !hasCode(error, idleInTransaction))
        throw error
      if (Date.now() > until)
        throw new TablesInUseError(
          `What was made anew could not take its place: a statement has had the tables in use for ${mostMinutes} minutes. What was served stays.`,
        )
    }
    await setTimeout(pause * (0.5 + Math.random()), undefined, { signal })
  }
}

const deadlock = '40P01'
const idleInTransaction = '25P03'
const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * Sets the lock timeout of this transaction: its statements fail instead of waiting longer for a lock. On a cluster the workers
 * follow too: Citus propagates SET LOCAL while its own setting says so. A plain PostgreSQL accepts that setting as a custom one.
 */
export async function setLockTimeout(db: Database, ms: number): Promise<void> {
  const setWorkers = (what: 'local' | 'none') =>
    sql`select set_config('citus.propagate_set_commands', ${what}, true)`.execute(db)
  await setWorkers('local')
  await sql`set local lock_timeout = ${sql.lit(`${ms}ms`)}`.execute(db)
  await setWorkers('none')
}

/**
 * Swaps the rebuilt tables with the served ones, in the caller's transaction, which must end immediately. Sent as one
 * message, so that nobody waits for this process meanwhile.
 */
export async function swapTables(db: Database, served: string, tables: readonly string[]): Promise<void> {
  const [gone, come] = [
    await swappedTablesIn(db, served, tables),
    await swappedTablesIn(db, rebuildSchema, tables),
  ]
  const named = (schema: string, name: string) => `${quoted(schema)}.${quoted(name)}`
  const moves = (kind: 'table' | 'view', from: string, names: readonly string[], to: string) =>
    names.map((name) => `alter ${kind} ${named(from, name)} set schema ${quoted(to)}`)
  const statements = [
    `set local search_path = ${quoted(served)}`,
    `set local lock_timeout = '${maxLockWaitMs}ms'`,
    `create schema ${quoted(replacedSchema)}`,
    ...moves('view', served, gone.views, replacedSchema),
    // One timeout for all locks together: a reader may wait for the first while the last is not yet granted.
    `set local statement_timeout = '${maxLockWaitMs}ms'`,
    `lock table ${tables.map((table) => named(served, table)).join(', ')} in access exclusive mode`,
    'set local statement_timeout = 0',
    ...moves('table', served, gone.tables, replacedSchema),
    ...moves('table', rebuildSchema, come.tables, served),
    ...moves('view', rebuildSchema, come.views, served),
  ]
  await sql.raw(statements.join(';\n')).execute(db)
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Drops replaced tables, and leftovers of an interrupted replay. Foreign keys to tables in use are dropped one by one:
 * dropping a table locks the tables it refers to.
 */
export async function dropLeftovers(db: Database, signal: AbortSignal): Promise<void> {
  const briefly = (statement: string) =>
    retryUntilUnlocked(
      () =>
        inTransaction(db, async (transaction) => {
          await setLockTimeout(transaction, maxLockWaitMs)
          await sql.raw(statement).execute(transaction)
        }),
      signal,
    )
  const left = await rows(
    db,
    sql<{ schema: string }>`
      select nspname as schema from pg_namespace where nspname in (${rebuildSchema}, ${replacedSchema})`,
  )
  for (const { schema } of left) {
    const references = await rows(
      db,
      sql<{ statement: string }>`
        select format('alter table if exists %s drop constraint if exists %I', conrelid::regclass, conname) as statement
        from pg_constraint
        where contype = 'f' and conparentid = 0 and connamespace = to_regnamespace(${schema})`,
    )
    for (const { statement } of references) await briefly(statement)
    await briefly(`drop schema if exists ${quoted(schema)} cascade`)
  }
}

/** Takes the lock for replacing served tables, until the transaction ends. @returns false when another transaction holds it */
export async function lockForSwap(held: Database): Promise<boolean> {
  const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext('rivalscope replay')) as free`
  return (await firstRow(held, lock))?.free ?? false
}
