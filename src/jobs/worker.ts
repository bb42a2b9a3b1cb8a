import type { Job, WorkOptions } from 'pg-boss'
import { AttemptLost } from '../domain/work/queries.ts'
import { ProcessStops, UnreadableInput } from '../domain/work/work.ts'
import { clearLeftovers } from '../projections/replay.ts'
import type { JobKind, JobParts } from './job-kind.ts'
import { jobKinds, scheduleJob } from './job-kinds.ts'
import type { JobReport } from './job-report.ts'
import { failJob, heartbeatSeconds, type LostJob, releaseJob, watchForLostJobs } from './lost-jobs.ts'

/** Grace period in seconds for running jobs of a stopping worker. They are aborted, and return to the queue. */
const stopWithinSeconds = 20

/** Delay in seconds before a retry of a job that failed in an outage of the store. */
const afterOutageSeconds = 2

/** Events of a worker, for the log. */
export interface WorkerListener {
  /** Called for every failed attempt, except those that were aborted, or lost their work or the store. */
  failure(task: string, error: unknown): void
  /** Called for every job that ended and had something to do, with its duration. */
  ended?(task: string, report: JobReport, ms: number): void
  /** Called with jobs whose process is gone. */
  lost(jobs: LostJob[]): void
}

const nobody: WorkerListener = { failure: () => {}, lost: () => {} }

/**
 * Works on jobs until it is disposed. Any number of processes may share one PostgreSQL. A job of a killed process is taken
 * over by another within seconds; if the process was wrongly thought dead, its signal is aborted.
 * @param pollSeconds time between polls of an empty queue
 */
export async function startWorker(
  parts: JobParts,
  pollSeconds = 1,
  listener: WorkerListener = nobody,
): Promise<AsyncDisposable> {
  const stopping = new AbortController()
  const { db, queue } = parts
  for (const kind of jobKinds) await work(kind)
  await queue.boss.schedule(scheduleJob.name, '* * * * *', {})
  // Jobs that fell due while no worker ran start at once, not at the next full minute.
  await queue.add(db, scheduleJob, [{ key: scheduleJob.name, data: {} }])
  await clearLeftovers(db, stopping.signal).catch((error) =>
    listener.failure('what a replay left behind', error),
  )
  const names = jobKinds.map(({ name }) => name)
  const watch = watchForLostJobs(db, names, queue.outage, listener.lost, (error) =>
    listener.failure('lost jobs', error),
  )
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new ProcessStops())
      await watch[Symbol.asyncDispose]()
      await queue.boss.stop({ graceful: true, timeout: stopWithinSeconds * 1_000 })
    },
  }

  async function work(kind: JobKind): Promise<void> {
    const perform = kind.performer(parts)
    for (let taker = 0; taker < kind.atATime; taker++) await takeOneByOne(kind, perform)
  }

  /** Takes jobs of a kind, each as soon as the one before has ended; polls only while there are none. */
  async function takeOneByOne({ name }: JobKind, perform: ReturnType<JobKind['performer']>): Promise<void> {
    const settings: WorkOptions = {
      pollingIntervalSeconds: pollSeconds,
      // No notification is sent for jobs that fall due later, so polling continues as before.
      notifyPollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: heartbeatSeconds,
    }
    const takerId = await queue.boss.work(name, settings, async ([job]: Job<unknown>[]) => {
      if (!job) return
      const signal = AbortSignal.any([job.signal, stopping.signal])
      try {
        const began = performance.now()
        const report = await perform(job.data, signal)
        if (report) listener.ended?.(name, report, Math.round(performance.now() - began))
      } catch (error) {
        if (signal.reason instanceof ProcessStops) await releaseJob(db, job)
        // During an outage this fails too, and the job is found as lost.
        else if (queue.outage.failed(error)) await releaseJob(db, job, afterOutageSeconds)
        else if (!signal.aborted && !(error instanceof AttemptLost)) listener.failure(name, error)
        if (error instanceof UnreadableInput) await failJob(db, job)
        throw error
      } finally {
        queue.boss.notifyWorker(takerId)
      }
    })
  }
}
