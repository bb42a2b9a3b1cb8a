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
import type { Database } from './database.ts'
import { compiled, PreparingClient } from './prepared.ts'
import { isOwnSession, sessionOptions } from './session-settings.ts'

/** What becomes of replicas, each told once and not for each request. */
export interface ReplicaListener {
  /** It cannot be reached, or is no replica. */
  lost(replica: string, reason: unknown): void
  /** It has not had what was asked for a while. */
  behind(replica: string): void
  /** It answers again. */
  back(replica: string): void
}

/** A replica cannot be asked at the moment: it is lost, or has not replayed what is wanted. */
export class ReplicaUnfit extends Error {
  override name = 'ReplicaUnfit'
}

/** Answers whether a session has what is wanted. */
type Reached = RawBuilder<Found>

interface Found {
  isReplica: boolean
  hasReached: boolean
}

/** Connections of one process to one replica at most. */
const mostConnections = 8
/** Whoever waits longer is answered by the primary: a connection is not waited for where another database has one. */
const connectWithinMs = 1_000
const checkWithinMs = 1_000
/** A statement ends after this time, and the primary is asked. */
const statementSeconds = 5
/** A replica that does not answer at all, although connections to it stand, is given up after this time. */
const silentAfterMs = (statementSeconds + 1) * 1_000
/** After a replica was found behind, it is not asked for this time: whole batches of requests would find the same. */
const behindForMs = 5
const tellBehindAfterMs = 10_000
const lookAgainEveryMs = 1_000
/** Looking for a replica is no request, and a busy machine takes seconds to open a connection. */
const lookForMs = 10_000

/**
 * A streaming replica of the primary. It may be lost, restarted, promoted or behind at any time. It is in use while its connections
 * work; one that breaks puts it out of use until a new one works, which is tried once a second and not for each request.
 */
export class Replica implements AsyncDisposable {
  /** Host, port and database. */
  readonly name: string
  readonly #url: string
  readonly #purpose: string
  readonly #listener: ReplicaListener
  readonly #ending = new AbortController()
  /** What each connection was last found to have. */
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

  /** Connects for the first time. A replica that does not answer is told of, and looked for again. */
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
   * The replica for statements that must not find less than is wanted: each runs on a connection that was found to have it.
   * Statements throw `ReplicaUnfit` where there is none, and whatever may happen to a connection.
   */
  having(reached: Reached): Database {
    const check = compiled(reached)
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
    const tell = !isTold && now - since > tellBehindAfterMs
    if (tell) this.#listener.behind(this.name)
    this.#behind = { since, until: now + behindForMs, isTold: isTold || tell }
    throw new ReplicaUnfit(`The replica ${this.name} has not replayed what is wanted.`)
  }

  #lose(pool: Pool): void {
    if (this.#pool !== pool || this.#ending.signal.aborted) return
    this.#pool = undefined
    // Ends once the last statement on it has ended.
    void pool.end()
    this.#opening = this.#connect(() => {})
  }

  /** Connects until that works. @param tried called after the first time */
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
      Client: PreparingClient,
    })
    return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  }

  /** @throws Error when it is none, or is behind a pooler, which may hand the next statement to another server */
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
      // One that does not answer does not say goodbye either.
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

/** @throws Error when it takes longer; what was waited for goes on */
async function withinMs<T>(limit: number, waited: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('The replica does not answer.')), limit)
  try {
    return await Promise.race([waited, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a statement failed, and its connection goes on. Source: PostgreSQL's protocol, "Error and Notice Message Fields". */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'
