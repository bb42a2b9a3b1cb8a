import type { Job, WorkOptions } from 'pg-boss'
import { ProcessStops } from '../domain/work/perform.ts'
import { AttemptLost } from '../domain/work/queries.ts'
import type { Database } from '../storage/database.ts'
import { giveBackJob, type LostJob, signEverySeconds, watchForLostJobs } from './lost-jobs.ts'
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

/** Seconds after which a job is begun again that failed because the store was away. */
const afterOutageSeconds = 2

/** What a worker tells whoever runs it, for the log. */
export interface WorkerTold {
  /** Every attempt that failed; not those that were stopped, or lost their work or the store. */
  failure(task: TaskName | 'lost jobs', error: unknown): void
  /** Jobs whose process was found to be gone. */
  lost(jobs: LostJob[]): void
}

const nobody: WorkerTold = { failure: () => {}, lost: () => {} }

/**
 * Works on jobs until it is disposed. Any number of processes may do so on one PostgreSQL. A job of a process that was
 * killed is taken up by another within seconds; one whose process was only thought dead has its signal aborted.
 * @param pollSeconds time between looks at an empty queue
 */
export async function startWorker(
  db: Database,
  queue: JobQueue,
  tasks: Tasks,
  pollSeconds = 1,
  told: WorkerTold = nobody,
): Promise<AsyncDisposable> {
  const stopping = new AbortController()
  const names = Object.keys(tasks) as TaskName[]
  for (const name of names) await work(name)
  await queue.boss.schedule('schedule', '* * * * *')
  // What fell due while nothing ran need not wait for the minute to turn.
  await queue.add(db, 'schedule', [{ key: 'schedule', data: {} }])
  const watch = watchForLostJobs(db, names, queue.outage, told.lost, (error) =>
    told.failure('lost jobs', error),
  )
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new ProcessStops())
      await watch[Symbol.asyncDispose]()
      await queue.boss.stop({ graceful: true, timeout: stopWithinSeconds * 1_000 })
    },
  }

  async function work<Name extends TaskName>(name: Name): Promise<void> {
    const settings: WorkOptions = {
      pollingIntervalSeconds: pollSeconds,
      localConcurrency: atATime[name] ?? 1,
      heartbeatRefreshSeconds: signEverySeconds,
    }
    await queue.boss.work(name, settings, async ([job]: Job<TaskData[Name]>[]) => {
      if (!job) return
      const signal = AbortSignal.any([job.signal, stopping.signal])
      try {
        await tasks[name](job.data, signal)
      } catch (error) {
        if (signal.reason instanceof ProcessStops) await giveBackJob(db, job)
        // While the store takes nothing, this fails too, and the job is one of the lost.
        else if (queue.outage.failed(error)) await giveBackJob(db, job, afterOutageSeconds)
        else if (!signal.aborted && !(error instanceof AttemptLost)) told.failure(name, error)
        throw error
      }
    })
  }
}
