import type { Kysely, RawBuilder } from 'kysely'

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
