import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, rows } from '../storage/database.ts'
import type { Outage } from './outage.ts'

/** Seconds between the heartbeats of a running job. */
export const heartbeatSeconds = 2

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
export interface LostJob {
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
export async function releaseJob(
  db: Database,
  { id, name, retryCount }: { id: string; name: string; retryCount: number },
  afterSeconds = 0,
): Promise<void> {
  await sql`
    update pgboss.job set ${waiting}, state = 'retry', start_after = now() + ${afterSeconds} * interval '1 second'
    where name = ${name} and id = ${id}::uuid and state = 'active' and retry_count = ${retryCount}`.execute(db)
}

/** Makes the current attempt of a job its last: a retry could not succeed. */
export async function failJob(db: Database, { id, name }: { id: string; name: string }): Promise<void> {
  await sql`
    update pgboss.job set retry_limit = retry_count
    where name = ${name} and id = ${id}::uuid and state = 'active'`.execute(db)
}

/**
 * Checks for lost jobs until it is disposed. Any number of processes may do so.
 * @param onLost called with the lost jobs, when there are any
 */
export function watchForLostJobs(
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
