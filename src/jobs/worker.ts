import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Job, WorkOptions } from 'pg-boss'
import { AttemptLost } from '../domain/work/queries.ts'
import { ProcessStopping, UnreadableInput } from '../domain/work/work.ts'
import { clearLeftovers } from '../projections/replay.ts'
import { type Database, rows } from '../storage/database.ts'
import type { JobKind, JobParts } from './job-kind.ts'
import { jobKinds, scheduleJob } from './job-kinds.ts'
import type { Outage } from './queue.ts'
import type { JobReport } from './work-tasks.ts'

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
      stopping.abort(new ProcessStopping())
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
      if (!job) return undefined
      const signal = AbortSignal.any([job.signal, stopping.signal])
      try {
        const began = performance.now()
        const report = await perform(job.data, signal)
        if (report) listener.ended?.(name, report, Math.round(performance.now() - began))
        return report
      } catch (error) {
        if (signal.reason instanceof ProcessStopping) await releaseJob(db, job)
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

/** Seconds between the heartbeats of a running job. */
const heartbeatSeconds = 2

/** A job without a heartbeat for this long is lost: its process was killed, hangs, or cannot reach the store. */
const lostAfterSeconds = 8

/** Seconds between checks for lost jobs. */
const checkEverySeconds = 2

/**
 * How long a process must have checked without a gap before it reclaims jobs. After an outage of the store, or a sleep of
 * the machine, all heartbeats are old: live processes send a new one within this time.
 */
const watchedSeconds = 4

/** Process crashes after which a job has failed, unless its retry limit is higher. */
const mostLosses = 10

/** A job whose process is gone. */
interface LostJob {
  name: string
  /** Whether it is retried; false when it crashed too many processes. */
  goesOn: boolean
}

/**
 * Makes a job available again. The queue counts claims, and doubles the delay after a failure for each earlier claim: half
 * the delay compensates for a claim that was no failure.
 */
const waiting = sql`heartbeat_on = null, retry_delay = retry_delay / 2`

/**
 * Returns jobs of dead processes to their queue. The queue itself would notice after ten seconds or more, and count a
 * failure. A process that was wrongly thought dead can neither end such a job nor send heartbeats for it once it is claimed
 * again: the claim has another number.
 * @param take whether jobs may be reclaimed; otherwise this only checks that the store answers
 */
export function reclaimLostJobs(db: Database, names: readonly string[], take: boolean): Promise<LostJob[]> {
  const goesOn = sql`retry_count < greatest(retry_limit, ${mostLosses - 1})`
  // The condition on the policy selects the index of unfinished jobs.
  return rows(
    db,
    sql<LostJob>`
      update pgboss.job set ${waiting}, start_after = now(),
        state = (case when ${goesOn} then 'retry' else 'failed' end)::pgboss.job_state,
        completed_on = case when ${goesOn} then null else now() end,
        output = ${JSON.stringify({ value: { message: 'the process that worked on it ended in the middle' } })}::jsonb
      where ${take} and name in (select json_array_elements_text(${JSON.stringify(names)}::json))
        and policy = 'exclusive' and state = 'active'
        and heartbeat_on < now() - ${lostAfterSeconds} * interval '1 second'
      returning name, state = 'retry' as "goesOn"`,
  )
}

/** Returns a job that this process has stopped working on. A no-op when another process has claimed it by now. */
async function releaseJob(
  db: Database,
  { id, name, retryCount }: { id: string; name: string; retryCount: number },
  afterSeconds = 0,
): Promise<void> {
  await sql`
    update pgboss.job set ${waiting}, state = 'retry', start_after = now() + ${afterSeconds} * interval '1 second'
    where name = ${name} and id = ${id}::uuid and state = 'active' and retry_count = ${retryCount}`.execute(db)
}

/** Makes the current attempt of a job its last: a retry could not succeed. */
async function failJob(db: Database, { id, name }: { id: string; name: string }): Promise<void> {
  await sql`
    update pgboss.job set retry_limit = retry_count
    where name = ${name} and id = ${id}::uuid and state = 'active'`.execute(db)
}

/**
 * Checks for lost jobs until it is disposed. Any number of processes may do so.
 * @param onLost called with the lost jobs, when there are any
 */
function watchForLostJobs(
  db: Database,
  names: readonly string[],
  outage: Outage,
  onLost: (jobs: LostJob[]) => void,
  onError: (error: unknown) => void,
): AsyncDisposable {
  const stop = new AbortController()
  const ended = watch()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }

  async function watch(): Promise<void> {
    // The wall clock continues while a machine sleeps, and may be set back.
    let watchedSince = Date.now()
    let lastCheckAt = watchedSince
    while (!stop.signal.aborted) {
      const now = Date.now()
      if (Math.abs(now - lastCheckAt) > watchedSeconds * 1_000) watchedSince = now
      lastCheckAt = now
      try {
        const take = now - watchedSince >= watchedSeconds * 1_000
        const lost = await outage.observe(reclaimLostJobs(db, names, take))
        if (lost.length > 0) onLost(lost)
      } catch (error) {
        watchedSince = Date.now()
        if (!outage.lasts) onError(error)
      }
      await setTimeout(checkEverySeconds * 1_000, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
}
