import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'

/** Work that has not ended, by its kind. */
export interface OpenWork {
  kind: string
  waiting: number
  /** When the oldest waiting one was requested. */
  waitingSince: Date | null
  running: number
  /** Number of those with many attempts, and the last error. */
  failing: number
  message: string | null
}

/** @param often attempts from which on work is failing */
export function openWork(db: Database, often: number): Promise<OpenWork[]> {
  return rows(
    db,
    sql<OpenWork>`
      select kind, count(*) filter (where status = 'queued')::int as waiting,
        min(created_at) filter (where status = 'queued') as "waitingSince",
        count(*) filter (where status = 'running')::int as running,
        count(*) filter (where attempts >= ${often} and last_error_at is not null)::int as failing,
        (array_agg(last_error_message order by last_error_at desc nulls last))[1] as message
      from work where status in ('queued', 'running') group by kind order by kind`,
  )
}

/** A kind of job with recent final failures. */
export interface FailedJobs {
  name: string
  failed: number
}

export function jobsFailedSince(db: Database, since: Date): Promise<FailedJobs[]> {
  return rows(
    db,
    sql<FailedJobs>`
      select name, count(*)::int as failed from pgboss.job
      where state = 'failed' and completed_on > ${since} group by name order by name`,
  )
}

/** Active jobs without a heartbeat since then. */
export async function jobsWithoutHeartbeat(db: Database, since: Date): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ silent: number }>`
      select count(*)::int as silent from pgboss.job
      where state = 'active' and coalesce(heartbeat_on, started_on) < ${since}`,
  )
  return found?.silent ?? 0
}
