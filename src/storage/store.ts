import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { type DataDirectory, holdDataDirectory } from './data-directory.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

/** An open store. Whoever opens it closes it. */
export interface Store extends AsyncDisposable {
  db: Database
  engine: 'embedded' | 'postgres'
  /** Runs several statements at once, as schema scripts hold them; answers the rows of each. */
  script(text: string): Promise<{ rows: unknown[] }[]>
  /** Runs something that no other process runs at the same time, if it asks under the same name. */
  alone<T>(name: string, perform: () => Promise<T>): Promise<T>
  /** The directory held for the embedded store. */
  directory?: DataDirectory
  /** The pool behind `db` on PostgreSQL, for the parts that need one of their own making. */
  pool?: Pool
}

export type StoreLocation = { databaseUrl: string } | { dataDir: string }

/**
 * Opens the store and brings its schema up to date.
 * @param purpose the command that opens it, told to others who want the same directory
 * @throws StoreHeldError, StoreNewerError
 */
export async function openStore(location: StoreLocation, purpose: string): Promise<Store> {
  const store =
    'databaseUrl' in location ? openPostgres(location.databaseUrl) : openEmbedded(location.dataDir, purpose)
  try {
    await migrate(store)
    return store
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

function openEmbedded(dataDir: string, purpose: string): Store {
  const directory = holdDataDirectory(dataDir, purpose)
  const embedded = onPGlite(() => PGlite.create({ dataDir: directory.store }))
  return {
    ...embedded,
    directory,
    async [Symbol.asyncDispose]() {
      try {
        await embedded[Symbol.asyncDispose]()
      } finally {
        directory[Symbol.dispose]()
      }
    },
  }
}

/** A store on PGlite, which is made at the first query. */
export function onPGlite(make: () => Promise<PGlite>): Store {
  let made: Promise<PGlite> | undefined
  const pglite = () => {
    made ??= make()
    return made
  }
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) })
  return {
    db,
    engine: 'embedded',
    // PGlite has one connection: while we hold it, nobody's transaction can be under way.
    script: (text) => db.connection().execute(async () => execute(await pglite(), text)),
    alone: (_name, perform) => perform(),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

/** A script that fails inside a transaction of its own must not leave the only connection in it. */
async function execute(pglite: PGlite, text: string) {
  try {
    return await pglite.exec(text)
  } catch (error) {
    await pglite.exec('rollback')
    throw error
  }
}

/** Connections one process opens at most; several processes share PostgreSQL's own limit of 100. */
const poolSize = 10

export function openPostgres(databaseUrl: string): Store {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    application_name: 'rivalscope',
    // Dates in queries are UTC dates, whatever the server's own zone. No query here runs long enough to be worth compiling.
    options: '-c TimeZone=UTC -c jit=off',
  })
  // A connection that breaks is replaced by the pool, and the query it was at fails. Without listeners it would end the
  // process: the pool listens to idle connections only, and hands on what it hears.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    engine: 'postgres',
    pool,
    script: async (text) => [await pool.query(text)].flat(),
    alone: (name, perform) =>
      db.connection().execute(async (held) => {
        await sql`select pg_advisory_lock(hashtext(${`rivalscope ${name}`}))`.execute(held)
        try {
          return await perform()
        } finally {
          await sql`select pg_advisory_unlock(hashtext(${`rivalscope ${name}`}))`.execute(held)
        }
      }),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

/** Whether the store answers. */
export async function storeAnswers(db: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}

/** Connection failures of Node and of the pool, and PostgreSQL's classes 08 (connection) and 57P (shutting down). */
const awayCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EHOSTUNREACH|08\w{3}|57P0\d|53300)$/
const awayMessages =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|PGlite is clos|driver has already been destroyed/

/** Whether an error means that the store cannot be reached, rather than that a query is wrong. */
export function storeIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (awayCodes.test(code) || awayMessages.test(error.message)) return true
  return error instanceof AggregateError
    ? error.errors.some(storeIsAway)
    : error.cause !== undefined && storeIsAway(error.cause)
}
