import type { Job, WorkOptions } from 'pg-boss'
import type { PerformWork } from '../domain/work/perform.ts'
import type { Database } from '../storage/database.ts'
import type { JobQueue } from './queue.ts'
import type { TaskData, TaskName } from './task-queues.ts'
import { workTask } from './work-tasks.ts'

/** What each kind of work does. */
export type Performers = { [Name in TaskName]?: PerformWork }

/** Seconds a stopping worker gives the jobs it is at. They are told to stop, and go back to the queue. */
const stopWithinSeconds = 20

/**
 * Works on jobs until it is disposed. Any number of processes may do so on one PostgreSQL.
 * @param pollSeconds time between looks at an empty queue
 */
export async function startWorker(
  db: Database,
  queue: JobQueue,
  performers: Performers,
  pollSeconds = 1,
): Promise<AsyncDisposable> {
  const stopping = new AbortController()
  const settings: WorkOptions = { pollingIntervalSeconds: pollSeconds }
  for (const [name, perform] of Object.entries(performers)) {
    const task = workTask(db, perform)
    await queue.boss.work(name, settings, async ([job]: Job<TaskData[TaskName]>[]) => {
      if (job) await task(job.data, AbortSignal.any([job.signal, stopping.signal]))
    })
  }
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await queue.boss.stop({ graceful: true, timeout: stopWithinSeconds * 1_000 })
    },
  }
}
