import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import { type Db, fromKysely, PgBoss } from 'pg-boss'
import { StoreClient } from './client.ts'
import type { Database } from './database.ts'
import { asPreparedText } from './prepared.ts'
import type { Store } from './store.ts'

/**
 * Connects the job queue to a store: single statements with parameters, whole scripts for its schema, and on direct
 * connections notifications of new jobs.
 */
export function queueDatabase({ db, pool, direct }: Store): Db {
  const single = fromKysely(db)
  return {
    ...(direct && { listen: listen.bind(undefined, pool) }),
    async executeSql(text, values) {
      if (values?.length) return single.executeSql(text, values)
      const results = [await pool.query(text)].flat()
      return { rows: results.flatMap((result) => result.rows ?? []) }
    },
  }
}

/** The queue inside a transaction: a job is saved together with the record that requests it. */
export function queueWithin(transaction: Database): Db {
  const within = fromKysely(transaction)
  // The queue has few distinct statements, and planning one takes PostgreSQL longer than running it.
  return { executeSql: (text, values) => within.executeSql(asPreparedText(text), values) }
}

/** Opens a queue for the duration of the call. It neither works on jobs nor maintains them. */
export async function withIdleQueue(store: Store, use: (queue: PgBoss) => Promise<void>): Promise<void> {
  const queue = new PgBoss({ db: queueDatabase(store), schedule: false, supervise: false })
  await queue.start()
  try {
    await use(queue)
  } finally {
    await queue.stop()
  }
}

/** Brings the schema of the queue up to date, as its start does. Safe when several processes start at once. */
export async function installQueue(store: Store): Promise<void> {
  await store.alone('queue schema', () => withIdleQueue(store, async () => {}))
}

/** Seconds before a lost connection is opened again. */
const reconnectSeconds = 2

interface Connection {
  client: StoreClient
  /** Settles when the connection has ended, whoever ended it. */
  ended: Promise<void>
}

/** A subscription to a channel of the store. */
interface Listening {
  close(): Promise<void>
}

/**
 * Listens to a channel of the store on a connection of its own, which is reopened whenever it is lost. Notifications sent
 * meanwhile are lost.
 * @param pool whose options connections are opened with
 * @param onConnect called whenever listening begins
 */
async function listen(
  pool: Pool,
  channel: string,
  onNotification: (payload: string) => void,
  onConnect: () => void,
): Promise<Listening> {
  const closing = new AbortController()
  let connection = await connect()
  const ended = keepConnected()
  return {
    async close() {
      closing.abort()
      await connection.client.end().catch(() => {})
      await ended
    },
  }

  async function connect(): Promise<Connection> {
    // The pool hides its password from being listed.
    const { password } = pool.options
    const client = new StoreClient({ ...pool.options, ...(password && { password }), keepAlive: true })
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    onConnect()
    return { client, ended }
  }

  async function keepConnected(): Promise<void> {
    for (;;) {
      await connection.ended
      const next = await reconnect()
      if (!next) return
      connection = next
      // The subscription was closed while the connection was being opened.
      if (closing.signal.aborted) await next.client.end().catch(() => {})
    }
  }

  /** @returns undefined once the subscription is closed */
  async function reconnect(): Promise<Connection | undefined> {
    while (!closing.signal.aborted) {
      await setTimeout(reconnectSeconds * 1_000, undefined, { signal: closing.signal }).catch(() => {})
      const next = closing.signal.aborted ? undefined : await connect().catch(() => undefined)
      if (next) return next
    }
    return undefined
  }
}
