import { type Db, fromKysely, PgBoss } from 'pg-boss'
import type { Database } from './database.ts'
import { listen } from './listen.ts'
import { preparedText } from './prepared.ts'
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
  return { executeSql: (text, values) => within.executeSql(preparedText(text), values) }
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
