import { existsSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { inTransaction } from './database.ts'
import { clusterDirectory } from './embedded/cluster.ts'
import { type EmbeddedServer, useEmbeddedServer } from './embedded/embedded-server.ts'
import { type StoreSettings, usualMemoryMiB } from './embedded/settings.ts'
import { hasSchema, migrate } from './migrate.ts'
import { type SessionStart, sessionOptions, settleSessions } from './session-settings.ts'
import { endSlowStatements } from './slow-statements.ts'
import type { Store } from './store.ts'

/** A PostgreSQL of the operator's, or the directory of one of our own and how that is run where it does not run yet. */
export type StoreLocation = { databaseUrl: string } | ({ dataDir: string } & Partial<StoreSettings>)

/** There is nothing to open, and whoever asked would not make it. */
export class NoStoreError extends Error {}

export interface OpenOptions {
  /** What it asks of an embedded store may wait for what others ask. */
  givesWay?: boolean
  /** None is made where there is none. */
  mustExist?: boolean
}

/**
 * Opens the store and brings its schema up to date. Any number of processes may have it open.
 * @param purpose the command that opens it, by which PostgreSQL names its connections
 * @throws EmbeddedStoreError, StoreRefusedError, NoStoreError
 */
export async function openStore(
  location: StoreLocation,
  purpose: string,
  { givesWay = false, mustExist = false }: OpenOptions = {},
): Promise<Store> {
  if (mustExist && 'dataDir' in location && hasNoStore(location.dataDir))
    throw new NoStoreError(
      `There is no store in ${location.dataDir}. Name its directory with --data-dir, or its PostgreSQL with --database-url.`,
    )
  const store =
    'databaseUrl' in location
      ? openPostgres(location.databaseUrl, purpose, await settleSessions(location.databaseUrl))
      : await openEmbedded(location, purpose, givesWay)
  try {
    if (mustExist && !(await hasSchema(store.db)))
      throw new NoStoreError(
        'There is no store in the database. Make one with rivalscope migrate, or mend --database-url.',
      )
    await migrate(store)
    return store
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/** What is there and no directory can hold none either, which is another thing to say. */
function hasNoStore(dataDir: string): boolean {
  const there = statSync(dataDir, { throwIfNoEntry: false })
  return (!there || there.isDirectory()) && !existsSync(clusterDirectory(resolve(dataDir)))
}

/** @param start how connections begin, as `settleSessions` answers it */
export function openPostgres(
  databaseUrl: string,
  purpose = 'rivalscope',
  start: SessionStart = { options: sessionOptions },
): Store {
  const options = { connectionString: databaseUrl, ...poolOptions(purpose) }
  if ('options' in start)
    return storeOn(
      new Pool({ ...options, ...start }),
      new Pool({ ...options, max: mostRequests, options: `${start.options} ${requestLimits}` }),
    )
  const { statement } = start
  // The pool waits for the answer before it lends the connection.
  const onConnect = async (client: { query(text: string): Promise<unknown> }) =>
    void (await client.query(statement))
  const requests = new Pool({ ...options, max: mostRequests, onConnect })
  requests.on('connect', (client) => endSlowStatements(client, longestStatementSeconds * 1_000))
  return storeOn(new Pool({ ...options, onConnect }), requests)
}

/** Of the requests of one process at a time; others wait their turn. */
const mostRequests = 8
const longestStatementSeconds = 20
const requestLimits = `-c statement_timeout=${longestStatementSeconds}s -c lock_timeout=5s`

async function openEmbedded(
  { dataDir, ...settings }: { dataDir: string } & Partial<StoreSettings>,
  purpose: string,
  givesWay: boolean,
): Promise<Store> {
  let pools: Pool[] = []
  const server: EmbeddedServer = await useEmbeddedServer(
    dataDir,
    { memoryMiB: usualMemoryMiB, ...settings },
    // New connections are made by what the pool's options say at that time.
    (connection) => {
      for (const pool of pools) Object.assign(pool.options, connection)
    },
  )
  const options = { ...server.connection, ...poolOptions(purpose) }
  const pool = new Pool({ ...options, options: sessionOptions })
  const requests = new Pool({ ...options, max: mostRequests, options: `${sessionOptions} ${requestLimits}` })
  pools = [pool, requests]
  if (givesWay) pool.on('connect', giveWay)
  const store = storeOn(pool, requests)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      try {
        await store[Symbol.asyncDispose]()
      } finally {
        await server[Symbol.asyncDispose]()
      }
    },
  }
}

/** On a small machine an import would otherwise take half of each core from people who read. */
function giveWay(client: PoolClient & { processID?: number | null }): void {
  try {
    if (client.processID) setPriority(client.processID, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended, or belongs to somebody else: then it does not give way.
  }
}

function poolOptions(purpose: string) {
  return {
    /** Connections one process opens at most; several processes share PostgreSQL's own limit of 100. */
    max: 10,
    connectionTimeoutMillis: 5_000,
    application_name: purpose,
  }
}

/** Kysely's own lock belongs to a session, and stays there when a pooler gives the session to others: we hold one. */
class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override async acquireMigrationLock(): Promise<void> {}
      override async releaseMigrationLock(): Promise<void> {}
    })()
  }
}

function storeOn(pool: Pool, requests: Pool): Store {
  // A connection that breaks is replaced by the pool, and the query it was at fails. Without listeners it would end the
  // process: the pool listens to idle connections only, and hands on what it hears.
  for (const each of [pool, requests])
    each.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new Dialect({ pool }) })
  const forRequests = new Kysely<unknown>({ dialect: new Dialect({ pool: requests }) })
  return {
    db,
    pool,
    requests: { db: forRequests, pool: requests },
    alone: async (name, perform) => {
      for (;;) {
        // In a transaction, for behind a pooler nothing but that stays with one session.
        const turn = await inTransaction(db, async (held) => {
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
          const { rows } = await sql<{ free: boolean }>`
            select pg_try_advisory_xact_lock(hashtext(${`rivalscope ${name}`})) as free`.execute(held)
          return rows[0]?.free ? { result: await perform(held) } : undefined
        })
        if (turn) return turn.result
        // Whoever waits holds no session: the one who works may need another, and a pooler has few.
        await setTimeout(100)
      }
    },
    async [Symbol.asyncDispose]() {
      // Pools end only once, and one that was never used says nothing to its dialect.
      await Promise.all([db.destroy(), forRequests.destroy()])
      if (!requests.ended) await requests.end()
      if (!pool.ended) await pool.end()
    },
  }
}
