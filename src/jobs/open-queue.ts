import { PgBoss } from 'pg-boss'
import { queueDatabase, withIdleQueue } from '../storage/queue.ts'
import type { Store } from '../storage/store.ts'
import { jobKinds } from './job-kinds.ts'
import { JobQueue, Outage, type OutageListener } from './queue.ts'

/** Seconds between the queue's own checks for expired and old finished jobs. Lost jobs are found by `worker.ts`. */
const superviseSeconds = 60

/** Seconds between the queue's checks for jobs that depend on others; we have none. */
const flowSeconds = 3_600

/**
 * Opens the queue of a store for taking jobs.
 * @param works whether this process also works on them, and so maintains the queue
 * @param onError called with failures of the queue, except outages of the store
 * @param onOutage called when the store becomes unreachable and when it is back
 */
export async function openQueue(
  store: Store,
  works: boolean,
  onError: (error: Error) => void,
  onOutage: OutageListener = { away: (error) => onError(error as Error), back: () => {} },
): Promise<JobQueue> {
  const outage = new Outage(onOutage)
  const db = queueDatabase(store)
  const boss = new PgBoss({
    db: { ...db, executeSql: (text, values) => outage.observe(db.executeSql(text, values)) },
    // Notifications need a direct connection. Behind a pooler the queue only polls.
    useListenNotify: works && db.listen !== undefined,
    schedule: works,
    supervise: works,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    flowIntervalSeconds: flowSeconds,
  })
  boss.on('error', (error) => {
    if (!outage.lasts) onError(error)
  })
  // Queues are looked up at start. Otherwise a transaction that adds a job would hold its connection while it waits for
  // another one for that lookup: ten of them at once would deadlock.
  await withIdleQueue(store, ensureQueues)
  await boss.start()
  return new JobQueue(boss, outage)
}

/** Creates missing queues, and updates the settings of existing ones to those of this version. */
async function ensureQueues(boss: PgBoss): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, queue } of jobKinds) {
    const { policy, ...wanted } = queue
    const there = known.get(name)
    if (!there) await boss.createQueue(name, queue)
    else if (Object.entries(wanted).some(([option, value]) => there[option as keyof typeof wanted] !== value))
      await boss.updateQueue(name, wanted)
  }
}
