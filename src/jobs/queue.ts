import { PgBoss } from 'pg-boss'
import type { Enqueue } from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { queueDatabase, queueWithin, quietQueue } from '../storage/queue.ts'
import type { Store } from '../storage/store.ts'
import { type TaskData, type TaskName, taskQueues, type WorkKind } from './task-queues.ts'

/** Takes jobs. A job with a key that is queued or running already is not taken twice. */
export class JobQueue implements AsyncDisposable {
  readonly boss: PgBoss

  constructor(boss: PgBoss) {
    this.boss = boss
  }

  /** Adds jobs on the caller's transaction. @returns how many were not there already */
  async add<Name extends TaskName>(
    transaction: Database,
    name: Name,
    jobs: readonly { key: string; data: TaskData[Name] }[],
    { afterSeconds }: { afterSeconds?: number } = {},
  ): Promise<number> {
    if (jobs.length === 0) return 0
    const taken = await this.boss.insert(
      name,
      jobs.map(({ key, data }) => ({
        singletonKey: key,
        data,
        ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
      })),
      { db: queueWithin(transaction), returnId: true },
    )
    return taken?.length ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.boss.stop({ graceful: true })
  }
}

/** Adds the job of a piece of work. */
export function enqueueOn(queue: JobQueue): Enqueue {
  return async (transaction, kind, data) => {
    await queue.add(transaction, kind as WorkKind, [{ key: data.workId, data }])
  }
}

/** Seconds between looks for workers that died. The queue asks for two intervals and takes the longer one. */
const lookEverySeconds = 10

/**
 * Opens the queue of a store for taking jobs.
 * @param works whether this process will also work on them, and so looks after the queue
 */
export async function openQueue(
  store: Store,
  works: boolean,
  onError: (error: Error) => void,
): Promise<JobQueue> {
  await ensureQueues(store)
  const boss = new PgBoss({
    db: queueDatabase(store),
    schedule: works,
    supervise: works,
    superviseIntervalSeconds: lookEverySeconds,
    monitorIntervalSeconds: lookEverySeconds,
  })
  boss.on('error', onError)
  // Queues are looked up when it starts: a look-up inside a transaction would wait for the only connection of PGlite.
  await boss.start()
  return new JobQueue(boss)
}

async function ensureQueues(store: Store): Promise<void> {
  const boss = quietQueue(store)
  await boss.start()
  try {
    const known = new Set((await boss.getQueues()).map((queue) => queue.name))
    for (const [name, options] of Object.entries(taskQueues)) {
      if (!known.has(name)) await boss.createQueue(name, options)
    }
  } finally {
    await boss.stop()
  }
}
