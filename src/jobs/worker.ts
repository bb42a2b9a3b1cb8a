import type { Job, WorkOptions } from 'pg-boss'
import type { Database } from '../storage/database.ts'
import type { JobQueue } from './queue.ts'
import type { TaskData, TaskName } from './task-queues.ts'
import type { Tasks } from './tasks.ts'

/**
 * Jobs of a queue that one process works on at a time. Charts wait for answers more than for their turn; refreshes share
 * the pace, so that one of five keywords does not wait for one of two thousand.
 */
const atATime: Partial<Record<TaskName, number>> = {
  'collect-chart': 4,
  'aso-refresh': 4,
  'keyword-refresh': 2,
  'ad-import': 4,
  intake: 2,
  'keep-media': 4,
  'ad-transcript': 2,
  'ad-analysis': 2,
}

/** Seconds a stopping worker gives the jobs it is at. They are told to stop, and go back to the queue. */
const stopWithinSeconds = 20

/**
 * Works on jobs until it is disposed. Any number of processes may do so on one PostgreSQL.
 * @param pollSeconds time between looks at an empty queue
 * @param onFailure told of every attempt that failed, for the log of whoever runs this; not of those that were stopped
 */
export async function startWorker(
  db: Database,
  queue: JobQueue,
  tasks: Tasks,
  pollSeconds = 1,
  onFailure: (task: TaskName, error: unknown) => void = () => {},
): Promise<AsyncDisposable> {
  const stopping = new AbortController()
  for (const name of Object.keys(tasks) as TaskName[]) await work(name)
  await queue.boss.schedule('schedule', '* * * * *')
  // What fell due while nothing ran need not wait for the minute to turn, nor do jobs of a worker that was killed.
  await queue.boss.supervise()
  await queue.add(db, 'schedule', [{ key: 'schedule', data: {} }])
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await queue.boss.stop({ graceful: true, timeout: stopWithinSeconds * 1_000 })
    },
  }

  async function work<Name extends TaskName>(name: Name): Promise<void> {
    const settings: WorkOptions = {
      pollingIntervalSeconds: pollSeconds,
      localConcurrency: atATime[name] ?? 1,
    }
    await queue.boss.work(name, settings, async ([job]: Job<TaskData[Name]>[]) => {
      if (!job) return
      const signal = AbortSignal.any([job.signal, stopping.signal])
      try {
        await tasks[name](job.data, signal)
      } catch (error) {
        if (!signal.aborted) onFailure(name, error)
        throw error
      }
    })
  }
}
