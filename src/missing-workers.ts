import type { Logger } from 'pino'
import { workersLastSeen } from './domain/work/queries.ts'
import { jobsUnprocessedSince } from './domain/work/store-figures.ts'
import { noWorkerSince } from './domain/work/work.ts'
import type { Database } from './storage/database.ts'
import type { Store } from './storage/store.ts'

/** Why a service cannot do all that it is for; undefined while it can. */
export async function whyUnready(store: Pick<Store, 'disk'>, db: Database): Promise<string | undefined> {
  try {
    if ((await store.disk()).isFull)
      return 'The disk of the store is full: what is stored is read, and nothing is written. Make room.'
    const since = await jobsUnprocessedSince(db)
    return (
      since &&
      `Jobs wait, and no process has worked on them since ${since.toISOString()}: start rivalscope work.`
    )
  } catch {
    return 'The store cannot be reached.'
  }
}

/** Seconds between looks for somebody who works. */
const lookForWorkersEverySeconds = 60

/** A process that leaves jobs to others says when there are none. */
export function warnWhenNoWorker(db: Database, logger: Logger): Disposable {
  const createdAt = new Date()
  const look = async () => {
    const since = noWorkerSince({ createdAt, workersSeenAt: await workersLastSeen(db) }, new Date())
    if (since)
      logger.warn({ since }, 'no process works on jobs, and what is asked for waits: start rivalscope work')
  }
  // An outage is told by the queue.
  const timer = setInterval(() => void look().catch(() => {}), lookForWorkersEverySeconds * 1_000)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
