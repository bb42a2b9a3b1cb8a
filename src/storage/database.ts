import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Where SQL runs: a pool, one connection, or a transaction. The product writes its SQL as SQL, so no table types are
 * declared here; each query names the row it answers.
 */
export type Database = Kysely<unknown>

/** Rows of a query, in the order of the query. */
export async function rows<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows
}

/** The first row of a query, or undefined when it answers none. */
export async function firstRow<Row>(db: Database, query: RawBuilder<Row>): Promise<Row | undefined> {
  return (await query.execute(db)).rows[0]
}

/**
 * Runs work that is done as a whole or not at all. Inside a transaction of the caller it is a part of that one: when it
 * fails, only the part is taken back, so that a caller who expects the failure can go on. Parts follow each other; two at
 * the same time would take each other back.
 */
export async function inTransaction<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute(work)
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
