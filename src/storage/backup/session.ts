import { Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { type Database, inTransaction } from '../database.ts'
import { Dialect } from '../dialect.ts'
import type { Store } from '../store.ts'

/** A transaction and its connection: COPY needs the driver itself. */
export interface BackupSession {
  db: Database
  client: PoolClient
}

/** The text form of values, whatever the settings of the server, of the database or of the role are. */
const textForms = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  timezone: 'UTC',
}
/** The transaction may last for hours. */
const limits = { idle_in_transaction_session_timeout: '0', statement_timeout: '0' }

/**
 * Runs work in one transaction on one connection. When the work fails, everything is rolled back, and the connection is
 * closed: a COPY may have been interrupted.
 * @param mode of the transaction, in the words of SET TRANSACTION
 */
export async function inSession<T>(
  store: Store,
  mode: 'isolation level repeatable read' | 'isolation level read committed',
  work: (session: BackupSession) => Promise<T>,
): Promise<T> {
  const client = await store.pool.connect()
  const connection = { query: client.query.bind(client), release: () => {} } as PoolClient
  const pool = { options: store.pool.options, connect: async () => connection, end: async () => {} }
  const db = new Kysely<unknown>({ dialect: new Dialect(pool, false, true) })
  let failure: { reason: unknown } | undefined
  try {
    return await inTransaction(db, async (transaction) => {
      try {
        await sql`set transaction ${sql.raw(mode)}`.execute(transaction)
        for (const [name, value] of Object.entries({ ...textForms, ...limits }))
          await sql`set local ${sql.raw(name)} to ${sql.lit(value)}`.execute(transaction)
        return await work({ db: transaction, client })
      } catch (reason) {
        failure = { reason }
        // A ROLLBACK would wait for the end of the COPY; closing the connection ends both.
        client.release(true)
        throw reason
      }
    })
  } catch (error) {
    throw failure ? failure.reason : error
  } finally {
    if (!failure) client.release()
  }
}
