import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
} from 'kysely'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { StoreClient } from './client.ts'
import type { Database } from './database.ts'
import { compilePrepared } from './prepared.ts'
import { isOwnSession, sessionOptions } from './session-settings.ts'

/** Receives changes in the state of replicas, each once and not for every request. */
export interface ReplicaListener {
  /** The replica cannot be reached, or the server is none. */
  lost(replica: string, reason: unknown): void
  /** The replica has lagged behind what requests need for a while. */
  behind(replica: string): void
  /** The replica answers again. */
  back(replica: string): void
}

/** A replica cannot be asked at the moment: it is lost, or has not replayed the required state. */
export class ReplicaUnfit extends Error {
  override name = 'ReplicaUnfit'
}

/** A query for whether the server of a session has the required state. */
type Reached = RawBuilder<Found>

interface Found {
  isReplica: boolean
  hasReached: boolean
}

/** Connections of one process to one replica at most. */
const mostConnections = 8
/** A request that waits longer for a connection is answered by the primary. */
const connectWithinMs = 1_000
const checkWithinMs = 1_000
/** A statement ends after this time, and the primary is asked. */
const statementSeconds = 5
/** A replica that does not answer at all, although connections to it stand, is marked as lost after this time. */
const silentAfterMs = (statementSeconds + 1) * 1_000
/** A replica that was found behind is not asked for this time: otherwise whole batches of requests would find the same. */
const behindForMs = 5
const reportBehindAfterMs = 10_000
const lookAgainEveryMs = 1_000
/** Limit for reconnecting, longer than for requests: a busy machine takes seconds to open a connection. */
const lookForMs = 10_000

/**
 * A streaming replica of the primary. It may be lost, restarted, promoted or behind at any time. It is in use while its
 * connections work; one that breaks puts it out of use until a new one works, which is tried once a second and not for each
 * request.
 */
export class Replica implements AsyncDisposable {
  /** Host, port and database. */
  readonly name: string
  readonly #url: string
  readonly #purpose: string
  readonly #listener: ReplicaListener
  readonly #ending = new AbortController()
  /** The state that each connection was last found to have. */
  readonly #found = new WeakMap<PoolClient, CompiledQuery>()
  #pool: Pool | undefined
  #opening: Promise<void> = Promise.resolve()
  #behind: { since: number; until: number; isTold: boolean } | undefined

  constructor(url: string, purpose: string, listener: ReplicaListener) {
    const { hostname, port, pathname } = new URL(url)
    this.name = `${hostname}:${port || 5432}${pathname}`
    this.#url = url
    this.#purpose = purpose
    this.#listener = listener
  }

  /** Connects for the first time. A replica that does not answer is reported, and retried. */
  async open(): Promise<void> {
    const tried = Promise.withResolvers<void>()
    this.#opening = this.#connect(tried.resolve)
    await tried.promise
  }

  /** Whether connections to it work; it may be behind. */
  get isConnected(): boolean {
    return this.#pool !== undefined
  }

  /** Whether it makes sense to ask it now. */
  get isWorthAsking(): boolean {
    return this.isConnected && !(this.#behind && this.#behind.until > performance.now())
  }

  /**
   * The replica for statements that need a required state: each runs on a connection that was checked to have it. Statements
   * throw `ReplicaUnfit` where there is none, and on any failure of a connection.
   */
  having(reached: Reached): Database {
    const check = compilePrepared(reached)
    const pool: PostgresPool = { connect: () => this.#connectionFor(check), end: async () => {}, options: {} }
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#opening
    await this.#pool?.end()
  }

  async #connectionFor(check: CompiledQuery<Found>): Promise<PostgresPoolClient> {
    const pool = this.#pool
    if (!pool) throw new ReplicaUnfit(`The replica ${this.name} is lost.`)
    const client = await pool.connect().catch((error: unknown) => {
      // Where all connections are in use, waiting for one says nothing about the replica.
      if (pool.totalCount < mostConnections) this.#lose(pool)
      throw error
    })
    let isBroken = false
    const noting = async <T>(asking: Promise<T>): Promise<T> => {
      try {
        return await asking
      } catch (error) {
        isBroken ||= !isOfStatement(error)
        if (isBroken) this.#lose(pool)
        throw error
      }
    }
    const query = (...sent: unknown[]) => noting(Reflect.apply(client.query, client, sent))
    const release = () => client.release(isBroken)
    try {
      if (this.#found.get(client) !== check) {
        const asked = client.query<Found>(check.sql, [...check.parameters])
        this.#judge(await noting(withinMs(checkWithinMs, asked)), pool)
        this.#found.set(client, check)
      }
      return { query, release } as PostgresPoolClient
    } catch (error) {
      release()
      throw error
    }
  }

  /** @throws ReplicaUnfit */
  #judge({ rows: [found] }: { rows: Found[] }, pool: Pool): void {
    if (found?.isReplica && found.hasReached) {
      if (this.#behind?.isTold) this.#listener.back(this.name)
      this.#behind = undefined
      return
    }
    if (!found?.isReplica) this.#lose(pool)
    const now = performance.now()
    const { since, isTold } = this.#behind ?? { since: now, isTold: false }
    const tell = !isTold && now - since > reportBehindAfterMs
    if (tell) this.#listener.behind(this.name)
    this.#behind = { since, until: now + behindForMs, isTold: isTold || tell }
    throw new ReplicaUnfit(`The replica ${this.name} has not replayed what is wanted.`)
  }

  #lose(pool: Pool): void {
    if (this.#pool !== pool || this.#ending.signal.aborted) return
    this.#pool = undefined
    // Resolves once the last statement on it has ended.
    void pool.end()
    this.#opening = this.#connect(() => {})
  }

  /** Connects, and retries until that works. @param tried called after the first attempt */
  async #connect(tried: () => void): Promise<void> {
    for (let isTold = false; !this.#ending.signal.aborted; ) {
      try {
        await this.#expectReplica()
        this.#pool = this.#openPool()
        if (isTold) this.#listener.back(this.name)
        tried()
        return
      } catch (error) {
        if (!isTold) this.#listener.lost(this.name, error)
        isTold = true
        tried()
        await pause(lookAgainEveryMs, undefined, { signal: this.#ending.signal }).catch(() => {})
      }
    }
  }

  #openPool(): Pool {
    const pool = new Pool({
      ...this.#options(),
      max: mostConnections,
      connectionTimeoutMillis: connectWithinMs,
      query_timeout: silentAfterMs,
      Client: StoreClient,
    })
    return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  }

  /** @throws Error when the server is no replica, or is behind a pooler, which may hand the next statement to another server */
  async #expectReplica(): Promise<void> {
    const client = new Client({
      ...this.#options(),
      connectionTimeoutMillis: lookForMs,
      query_timeout: lookForMs,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ isReplica: boolean }>('select pg_is_in_recovery() as "isReplica"')
      if (!rows[0]?.isReplica) throw new Error('It is no replica, or no longer.')
      if (!(await isOwnSession(client))) throw new Error('It is behind a pooler; name its own address.')
    } finally {
      // A server that does not answer does not confirm the end either.
      void client.end().catch(() => {})
    }
  }

  #options(): ClientConfig {
    return {
      connectionString: this.#url,
      application_name: this.#purpose,
      options: `${sessionOptions} -c statement_timeout=${statementSeconds}s -c lock_timeout=1s`,
    }
  }
}

/** Waits for a promise up to a limit. @throws Error when it takes longer; the awaited work goes on */
async function withinMs<T>(limit: number, waited: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('The replica does not answer.')), limit)
  try {
    return await Promise.race([waited, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether only the statement failed, not its connection. Source: PostgreSQL's protocol, "Error and Notice Message Fields". */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'
