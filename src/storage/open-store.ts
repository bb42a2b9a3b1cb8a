import { existsSync, statfsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { diskFull, StoreClient } from './client.ts'
import { inTransaction } from './database.ts'
import { Dialect } from './dialect.ts'
import { clusterDirectory } from './embedded/cluster.ts'
import { type EmbeddedServer, useEmbeddedServer } from './embedded/embedded-server.ts'
import { defaultMemoryMiB, type StoreSettings } from './embedded/settings.ts'
import { hasSchema, migrate } from './migrate.ts'
import { probeSessionSettings, type SessionStart, sessionOptions } from './session-settings.ts'
import type { Store } from './store.ts'

/** The operator's own PostgreSQL, or the directory of an embedded one and the settings to start it with. */
export type StoreLocation = { databaseUrl: string } | ({ dataDir: string } & Partial<StoreSettings>)

/** There is no store, and the caller asked not to create one. */
export class NoStoreError extends Error {}

export interface OpenOptions {
  /** Whether to refuse, rather than create, a missing store. */
  mustExist?: boolean
  /** Whether to leave its schema unchanged, even where there is none. */
  asItIs?: boolean
  /** Whether the process runs at the lowest priority, and its transactions may have to wait for a core. */
  lowPriority?: boolean
}

/**
 * Opens the store and brings its schema up to date, unless `asItIs` is set. Any number of processes may have it open.
 * @param purpose the command that opens it, shown as the application name of its connections
 * @throws EmbeddedStoreError, StoreRefusedError, NoStoreError
 */
export async function openStore(
  location: StoreLocation,
  purpose: string,
  { mustExist = false, asItIs = false, lowPriority = false }: OpenOptions = {},
): Promise<Store> {
  if (mustExist && 'dataDir' in location && hasNoStore(location.dataDir))
    throw new NoStoreError(
      `There is no store in ${location.dataDir}. Name its directory with --data-dir, or its PostgreSQL with --database-url.`,
    )
  const store =
    'databaseUrl' in location
      ? openPostgres(
          location.databaseUrl,
          purpose,
          await probeSessionSettings(location.databaseUrl),
          lowPriority,
        )
      : await openEmbedded(location, purpose, lowPriority)
  try {
    if (mustExist && !(await hasSchema(store.db)))
      throw new NoStoreError(
        'There is no store in the database. Make one with rivalscope migrate, or mend --database-url.',
      )
    if (!asItIs) await migrate(store)
    return store
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/** Whether a data directory holds no store yet. An existing path that is no directory cannot hold one, and gets another message. */
export function hasNoStore(dataDir: string): boolean {
  const there = statSync(dataDir, { throwIfNoEntry: false })
  return (!there || there.isDirectory()) && !existsSync(clusterDirectory(resolve(dataDir)))
}

/** Opens the pools of a store of PostgreSQL. @param start how connections begin, from `probeSessionSettings` */
export function openPostgres(
  databaseUrl: string,
  purpose = 'rivalscope',
  start: SessionStart = { options: sessionOptions, prepares: true },
  lowPriority = false,
): Store {
  const options = {
    connectionString: databaseUrl,
    ...poolOptions(purpose),
    prepares: start.prepares,
  }
  if ('options' in start) {
    const pool = new Pool({ ...options, options: start.options })
    const requests = new Pool({ ...options, ...directRequests, options: `${start.options} ${requestLimits}` })
    return storeOn(pool, requests, true, lowPriority)
  }
  const { statement } = start
  // The pool waits for the response before it lends the connection.
  const onConnect = async (client: { query(text: string): Promise<unknown> }) =>
    void (await client.query(statement))
  const limited = { ...poolOfRequests, statementLimitMs: longestStatementSeconds * 1_000 }
  const requests = new Pool({ ...options, ...limited, onConnect })
  return storeOn(new Pool({ ...options, onConnect }), requests, false, lowPriority)
}

/** Connections for the requests of one process. Further requests wait for a free one, for a shorter time than commands. */
const poolOfRequests = { max: 8, connectionTimeoutMillis: 5_000 }
/** The same for direct connections, which pipeline statements. */
const directRequests = { ...poolOfRequests, pipeline: true }
const longestStatementSeconds = 20
const requestLimits = `-c statement_timeout=${longestStatementSeconds}s -c lock_timeout=5s`

async function openEmbedded(
  { dataDir, ...settings }: { dataDir: string } & Partial<StoreSettings>,
  purpose: string,
  lowPriority: boolean,
): Promise<Store> {
  let pools: Pool[] = []
  const server: EmbeddedServer = await useEmbeddedServer(
    dataDir,
    { memoryMiB: defaultMemoryMiB, ...settings },
    // The pool reads its options each time it opens a connection.
    (connection) => {
      for (const pool of pools) Object.assign(pool.options, connection)
    },
  )
  const options = { ...server.connection, ...poolOptions(purpose) }
  const pool = new Pool({ ...options, options: sessionOptions })
  const requests = new Pool({ ...options, ...directRequests, options: `${sessionOptions} ${requestLimits}` })
  pools = [pool, requests]
  // A PostgreSQL that has no room for its log ends: its users are told of a lost connection, and not why.
  for (const each of pools)
    each.on('connect', (client) => {
      client.on('error', (error) => {
        if (freeBytesOf(statfsSync(dataDir)) < leastFreeBytes) Object.assign(error, { code: diskFull })
      })
    })
  const store = storeOn(pool, requests, true, lowPriority)
  return {
    ...store,
    async disk() {
      const freeBytes = freeBytesOf(await statfs(dataDir))
      const { isFull } = await store.disk()
      return { freeBytes, isFull: isFull || freeBytes < leastFreeBytes }
    },
    async [Symbol.asyncDispose]() {
      try {
        await store[Symbol.asyncDispose]()
      } finally {
        await server[Symbol.asyncDispose]()
      }
    },
  }
}

const freeBytesOf = ({ bavail, bsize }: { bavail: number; bsize: number }) => bavail * bsize

/** The size of a segment of PostgreSQL's log: with less free space nothing is written. */
const leastFreeBytes = 16 * 1024 * 1024

function poolOptions(purpose: string) {
  return {
    /** Connections one process opens at most; several processes share PostgreSQL's own limit of 100. */
    max: 10,
    application_name: purpose,
    Client: StoreClient,
  }
}

function storeOn(pool: Pool, requests: Pool, direct: boolean, lowPriority: boolean): Store {
  // The pool replaces a broken connection, and its query fails. Without listeners the error would end the process: the pool
  // listens only to idle connections, and emits their errors itself.
  let fullAt = Number.NEGATIVE_INFINITY
  for (const each of [pool, requests])
    each
      .on('error', () => {})
      .on('connect', (client) => {
        client.on('error', () => {})
        ;(client as PoolClient & StoreClient).onFullDisk = () => {
          fullAt = performance.now()
        }
      })
  const db = new Kysely<unknown>({ dialect: new Dialect(pool, false, lowPriority) })
  const forRequests = new Kysely<unknown>({ dialect: new Dialect(requests, direct) })
  return {
    db,
    pool,
    requests: { db: forRequests, pool: requests },
    direct,
    disk: async () => ({ freeBytes: undefined, isFull: performance.now() - fullAt < 60_000 }),
    alone: async (name, perform) => {
      for (;;) {
        // In a transaction: behind a pooler only a transaction stays on one session.
        const turn = await inTransaction(db, async (held) => {
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
          const { rows } = await sql<{ free: boolean }>`
            select pg_try_advisory_xact_lock(hashtext(${`rivalscope ${name}`})) as free`.execute(held)
          return rows[0]?.free ? { result: await perform(held) } : undefined
        })
        if (turn) return turn.result
        // A waiting caller holds no session: the one that holds the lock may need another, and a pooler has few.
        await setTimeout(100)
      }
    },
    async [Symbol.asyncDispose]() {
      // A pool can be ended once only, and Kysely does not end one that was never used.
      await Promise.all([db.destroy(), forRequests.destroy()])
      if (!requests.ended) await requests.end()
      if (!pool.ended) await pool.end()
    },
  }
}
