import { PgBoss } from 'pg-boss'
import { queueDatabase, withIdleQueue } from '../storage/queue.ts'
import type { Store } from '../storage/store.ts'
import { jobKinds } from './job-kinds.ts'
import { Outage, type OutageListener } from './outage.ts'
import { JobQueue } from './queue.ts'

/** Seconds between looks for jobs that take too long, and of what ended long ago. Lost jobs are looked for elsewhere. */
const superviseSeconds = 60

/** Seconds between looks for jobs that wait for others; none of ours do. */
const flowSeconds = 3_600

/**
 * Opens the queue of a store for taking jobs.
 * @param works whether this process will also work on them, and so looks after the queue
 * @param onError told of what fails in the queue, save for outages of the store
 * @param onOutage told of those
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
    db: { executeSql: (text, values) => outage.observe(db.executeSql(text, values)) },
    schedule: works,
    supervise: works,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    flowIntervalSeconds: flowSeconds,
  })
  boss.on('error', (error) => {
    if (!outage.lasts) onError(error)
  })
  // Queues are looked up when it starts. Later a transaction that adds a job would hold its connection while it waits for
  // another one to look the queue up by: ten of them at once would wait for each other.
  await withIdleQueue(store, ensureQueues)
  await boss.start()
  return new JobQueue(boss, outage)
}

/** Makes the queues that are not there, and has those that are there keep to what this version wants of them. */
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
