import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inPipelinedTransaction, PipelinedTransaction, pipeliningDialect } from './dialect.ts'

/**
 * Where SQL runs: a pool, one connection, or a transaction. Statements are written as SQL, so no table types are declared
 * here; each query names the type of its rows.
 */
export type Database = Kysely<unknown>

/** All rows of a query, in its order. */
export async function rows<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows
}

/** The first row of a query, or undefined when it returns none. */
export async function firstRow<Row>(db: Database, query: RawBuilder<Row>): Promise<Row | undefined> {
  return (await query.execute(db)).rows[0]
}

/**
 * Runs work atomically. Inside a transaction of the caller it is a savepoint: when it fails, only its own changes are
 * rolled back, so that a caller who expects the failure can go on. Savepoints must not overlap: two at the same time would
 * roll each other back.
 */
export async function inTransaction<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return atomically(db, work)
  await sql`savepoint part`.execute(db)
  try {
    const done = await work(db)
    await sql`release savepoint part`.execute(db)
    return done
  } catch (error) {
    await sql`rollback to savepoint part`.execute(db)
    await sql`release savepoint part`.execute(db)
    throw error
  }
}

/**
 * Runs work atomically, as `inTransaction` does, for callers who do not continue when it fails: inside a transaction of the
 * caller it is a part of that, without a savepoint.
 * @param last a final statement, built from the result of the work, in the same transaction; it may be sent together with
 * the commit
 */
export async function atomically<T>(
  db: Database,
  work: (transaction: Database) => Promise<T>,
  last?: (done: T) => RawBuilder<unknown> | undefined,
): Promise<T> {
  if (!db.isTransaction) {
    const whole = (transaction: Database) => atomically(transaction, work, last)
    const dialect = pipeliningDialect(db)
    return dialect ? inPipelinedTransaction(db, dialect, whole) : db.transaction().execute(whole)
  }
  const done = await work(db)
  const statement = last?.(done)
  if (statement && db instanceof PipelinedTransaction) db.last.push(statement)
  else await statement?.execute(db)
  return done
}
