import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { isDistributed } from '../storage/cluster.ts'
import { type Database, firstRow, inTransaction, rows } from '../storage/database.ts'
import { fillFactors } from '../storage/months.ts'
import { isStatementTimeout } from '../storage/store.ts'
import { monthsToRepack, removeMonthToRepack, repackPayloads } from './repack-payloads.ts'
import { lockForSwap, maxLockWaitMs, setLockTimeout } from './swap-tables.ts'

/**
 * Arrays of ranks grow day by day, each day as a new version of their row: in the end a month takes about twice the space of
 * its contents. After its end it is rewritten without the free space. So is a month of payloads that were packed anew.
 */

/** Days after its end in which a month is still written to: collection may be behind, and storefronts have other clocks. */
const daysToSettle = 3
/** Smaller partitions are not worth rewriting. */
const leastBytes = 128 * 1024
/** Size of a partition, as a multiple of the size of its rows, from which it is rewritten. */
const mostRoom = 1.3

/** Overhead of a row and its pointer in PostgreSQL's pages, in bytes. */
const bytesAroundRow = 28

/** The tables whose months are rewritten, each with the order of the rows and how full their pages are. */
const packedTables = {
  chart_months: { order: 'store_id, chart_id', fillfactor: fillFactors.chart_months },
  payloads: { order: 'payload_hash', fillfactor: 100 },
} as const

/** The name of the partition of a month of payloads, `YYYY-MM`. */
const payloadsOf = (month: string) => `payloads_${month.replace('-', '_')}`

/** The names of the partitions of past months that `packMonth` is for. */
export async function monthsToPack(db: Database, now: Date): Promise<string[]> {
  const payloads = await monthsToRepack(db, now, daysToSettle)
  return [...(await chartMonthsToPack(db, now)), ...payloads.map(payloadsOf)]
}

/**
 * The names of the partitions of past months of chart ranks that are much larger than their rows, according to the planner's
 * statistics, oldest first. Empty while there are no statistics.
 */
async function chartMonthsToPack(db: Database, now: Date): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ part: string }>`
      select c.relname as part
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'chart_months'::regclass and pg_relation_size(c.oid) >= ${leastBytes} and c.reltuples > 0
        and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < ${now}::timestamptz at time zone 'UTC' - make_interval(days => ${daysToSettle})
        and pg_relation_size(c.oid) > ${mostRoom} * c.reltuples * (
          select ${bytesAroundRow} + sum(s.avg_width) from pg_stats s
          where s.schemaname = current_schema() and s.tablename = c.relname)
      order by 1`,
  )
  return found.map(({ part }) => part)
}

/**
 * Rewrites a month in the order of its key, and replaces the old partition; payloads are packed with each other before. Reads
 * continue meanwhile; writers of this month wait during the copy. Gives up while the table is in use or a replay is under way: then the
 * month stays as it was.
 * @returns whether it was rewritten
 */
export async function packMonth(db: Database, part: string, signal: AbortSignal): Promise<boolean> {
  const [, month] = /^payloads_(\d{4}_\d{2})$/.exec(part) ?? []
  if (month === undefined) return rewriteMonth(db, 'chart_months', part, signal)
  const packed = month.replace('_', '-')
  if (!(await repackPayloads(db, packed, signal))) return false
  // On a cluster new versions of other rows fill the free space.
  if (!(await isDistributed(db)) && !(await rewriteMonth(db, 'payloads', part, signal))) return false
  await removeMonthToRepack(db, packed)
  return true
}

async function rewriteMonth(
  db: Database,
  table: keyof typeof packedTables,
  part: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await inTransaction(db, async (transaction) => {
      if (!(await lockForSwap(transaction))) return false
      await setLockTimeout(transaction, maxLockWaitMs)
      const statements = await statementsFor(transaction, table, part)
      if (!statements) return false
      // A copy takes long, so it only begins if the swap could get its locks.
      if (!(await runsInTime(transaction, lockOf(table)))) return false
      await undo(transaction)
      await sql.raw(statements.copy).execute(transaction)
      await swap(transaction, statements.swap, signal)
      return true
    })
  } catch (error) {
    if (error instanceof MonthInUse || isStatementTimeout(error)) return false
    throw error
  }
}

/** Aborts the transaction, with the copy and all its locks. */
class MonthInUse extends Error {}

const lockOf = (table: keyof typeof packedTables) => `lock table only ${table} in access exclusive mode`

/** The statements that copy a partition and swap in the copy; undefined where there is no such partition. */
async function statementsFor(
  db: Database,
  table: keyof typeof packedTables,
  part: string,
): Promise<{ copy: string; swap: string } | undefined> {
  const { order, fillfactor } = packedTables[table]
  return firstRow(
    db,
    sql<{ copy: string; swap: string }>`
      with part as (
        select c.relname as old, c.relname || '_packed' as new, pg_get_expr(c.relpartbound, c.oid) as bound,
          pg_get_partition_constraintdef(c.oid) as holds
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ${table}::regclass and c.relname = ${part}
      )
      select format('
        lock table only %1$I in share mode;
        create table %2$I (like %5$I including all, constraint in_its_month check (%3$s));
        insert into %2$I select * from %1$I order by ${sql.raw(order)};
        alter table %2$I set (fillfactor = %4$s);
        analyze %2$I', old, new, holds, ${fillfactor}::int, ${table}::text) as copy,
        format('
        set local statement_timeout = %5$L;
        ${sql.raw(lockOf(table))};
        lock table only %1$I in access exclusive mode;
        set local statement_timeout = 0;
        alter table %7$I detach partition %1$I;
        drop table %1$I;
        alter table %2$I rename to %1$I;
        alter index %3$I rename to %4$I;
        alter table %7$I attach partition %1$I %6$s;
        alter table %1$I drop constraint in_its_month', old, new, new || '_pkey', old || '_pkey', ${maxLockWaitMs}::int, bound,
        ${table}::text) as swap
      from part`,
  )
}

const mostTries = 20
/** A waiting session checks for a deadlock after a second: this transaction has to look for waiting sessions more often. */
const pauseMs = 250

/**
 * Runs the statements of a swap in the caller's transaction once the table is not in use.
 * @throws MonthInUse at once where another session waits for this transaction, whose locks end with it
 */
async function swap(db: Database, statements: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    signal.throwIfAborted()
    if (await somebodyWaits(db)) break
    if (await runsInTime(db, statements)) return
    await setTimeout(pauseMs, undefined, { signal })
  }
  throw new MonthInUse()
}

/** Runs statements after a savepoint. @returns false where they did not get their locks in time, and were rolled back */
async function runsInTime(db: Database, statements: string): Promise<boolean> {
  await sql`savepoint before_locks`.execute(db)
  try {
    await sql.raw(statements).execute(db)
    return true
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    await undo(db)
    return false
  }
}

async function undo(db: Database): Promise<void> {
  await sql`rollback to savepoint before_locks`.execute(db)
  await sql`release savepoint before_locks`.execute(db)
}

/** Whether another session waits for a lock of this one. */
async function somebodyWaits(db: Database): Promise<boolean> {
  const waiting = await firstRow(
    db,
    sql`select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid)) limit 1`,
  )
  return waiting !== undefined
}
