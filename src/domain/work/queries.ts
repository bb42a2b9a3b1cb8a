import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { changeCountingQueries, withCountedChange } from '../evidence/changes.ts'
import type { Work } from './work.ts'

/** The last heartbeat of a worker process, which the queue's timekeeper writes every 30 seconds. */
export const workersSeenAt = sql`(select cron_on from pgboss.version limit 1)`

export const workColumns = sql`
  work_id as "workId", kind, subject, input, status, done, total, unit, result, attempts, interrupted,
  last_error_at as "lastErrorAt", last_error_code as "lastErrorCode", last_error_message as "lastErrorMessage",
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt", ${workersSeenAt} as "workersSeenAt"`

/** Days for which ended work is kept when there is newer work on the same subject. */
const endedRetentionDays = 30

/**
 * Records work unless the same is already under way. Long ended work on its subject is deleted, since daily requests would
 * pile up.
 * @returns the new work, or that under way as the statement began; undefined where it began or ended meanwhile
 */
export function insertWork(
  db: Database,
  { workId, kind, subject, input, status }: Pick<Work, 'workId' | 'kind' | 'subject' | 'input' | 'status'>,
): Promise<(Work & { fresh: boolean }) | undefined> {
  return firstRow(
    db,
    sql<Work & { fresh: boolean }>`
      with fresh as (
        insert into work (work_id, kind, subject, input, status, finished_at)
        values (${workId}, ${kind}, ${subject}, ${JSON.stringify(input)}::jsonb, ${status},
          case when ${status} in ('queued', 'running') then null else now() end)
        on conflict (kind, subject) where status in ('queued', 'running') do nothing
        returning ${workColumns}
      ), gone as (
        delete from work
        where kind = ${kind} and subject = ${subject} and finished_at < now() - ${endedRetentionDays} * interval '1 day'
          and exists (select from fresh)
      ), ${changeCountingQueries(['other'], sql`exists (select from fresh)`)}
      select *, true as fresh from fresh
      union all
      select ${workColumns}, false from work
      where kind = ${kind} and subject = ${subject} and status in ('queued', 'running') and not exists (select from fresh)`,
  )
}

export function workById(db: Database, workId: string): Promise<Work | undefined> {
  return firstRow(db, sql<Work>`select ${workColumns} from work where work_id = ${workId}`)
}

/** The newest work on a subject, under way or ended. */
export function newestWork(db: Database, kind: string, subject: string): Promise<Work | undefined> {
  return firstRow(
    db,
    sql<Work>`
      select ${workColumns} from work where kind = ${kind} and subject = ${subject} order by work_id desc limit 1`,
  )
}

/** When the newest successful work on a subject ended. */
export async function lastSuccessAt(db: Database, kind: string, subject: string): Promise<Date | undefined> {
  const found = await firstRow(
    db,
    sql<{ finishedAt: Date | null }>`
      select finished_at as "finishedAt" from work
      where kind = ${kind} and subject = ${subject} and status in ('succeeded', 'partial')
      order by work_id desc limit 1`,
  )
  return found?.finishedAt ?? undefined
}

/**
 * The newest work on each of some subjects, unordered; subjects without work are left out. @param kind one or several: the
 * newest of each
 */
export function newestWorks(
  db: Database,
  kind: string | readonly string[],
  subjects: readonly string[],
): Promise<Work[]> {
  return rows(
    db,
    sql<Work>`
      select distinct on (kind, subject) ${workColumns} from work
      where kind = any(${[kind].flat()}::text[]) and subject in (select json_array_elements_text(${JSON.stringify(subjects)}::json))
      order by kind, subject, work_id desc`,
  )
}

/** Work that has not ended and was requested before an instant, oldest first. */
export function workUnderWay(db: Database, before: Date): Promise<Pick<Work, 'workId' | 'kind'>[]> {
  return rows(
    db,
    sql<Pick<Work, 'workId' | 'kind'>>`
      select work_id as "workId", kind from work
      where status in ('queued', 'running') and created_at < ${before} order by work_id`,
  )
}

/**
 * Starts an attempt. An attempt already under way is assumed to have died with its process; it can no longer report.
 * @returns the work at the start of the attempt, or undefined when it has already ended
 */
export function startWork(db: Database, workId: string): Promise<Work | undefined> {
  return firstRow(
    db,
    withCountedChange(sql<Work>`
      update work set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now()),
        interrupted = case when status = 'running' then interrupted + 1 else interrupted end
      where work_id = ${workId} and status in ('queued', 'running')
      returning ${workColumns}`),
  )
}

/** An attempt at work, by its number, and the progress of its predecessor. */
export type Attempt = Pick<Work, 'workId' | 'attempts' | 'done'>

/** The work was given to another attempt, or has ended: anything this attempt still does would be done twice. */
export class AttemptLost extends Error {
  constructor() {
    super('the work was given to another attempt')
    this.name = 'AttemptLost'
  }
}

/** Matches the work while an attempt is its newest and it has not ended. */
const isAt = ({ workId, attempts }: Attempt) =>
  sql`work_id = ${workId} and attempts = ${attempts} and status = 'running'`

/** @throws AttemptLost */
export async function reportProgress(
  db: Database,
  attempt: Attempt,
  progress: { done: number; total: number | null; unit: string },
): Promise<void> {
  const got = await firstRow(
    db,
    sql`
      update work set done = ${progress.done}, total = ${progress.total}::integer, unit = ${progress.unit},
        interrupted = case when ${progress.done > (attempt.done ?? 0)} then 0 else interrupted end
      where ${isAt(attempt)}
      returning work_id`,
  )
  if (!got) throw new AttemptLost()
}

export interface WorkEnd {
  status: 'succeeded' | 'partial' | 'failed'
  result: Record<string, unknown>
  error?: { code: string; message: string }
}

/**
 * Ends work; the error of an earlier attempt stays unless this result replaces it. No-op when the work was given to another
 * attempt, or has ended.
 */
export async function endWork(db: Database, attempt: Attempt, end: WorkEnd): Promise<void> {
  const change = sql`
    update work set status = ${end.status}, result = ${JSON.stringify(end.result)}::jsonb, finished_at = now(),
      ${end.error ? failure(end.error) : sql`work_id = work_id`}
    where ${isAt(attempt)} returning status`
  await withCountedChange(change).execute(db)
}

/** Puts work back after a failed attempt, for a retry by the queue; no-op when it was given to another attempt. */
export async function requeueWork(
  db: Database,
  attempt: Attempt,
  error: { code: string; message: string },
): Promise<void> {
  const change = sql`
    update work set status = 'queued', ${failure(error)}
    where ${isAt(attempt)} returning status`
  await withCountedChange(change).execute(db)
}

/** Puts work back as if the attempt had not been made. The attempt must not touch it afterwards. */
export async function undoAttempt(db: Database, attempt: Attempt): Promise<void> {
  const change = sql`
    update work set status = 'queued', attempts = attempts - 1
    where ${isAt(attempt)} returning status`
  await withCountedChange(change).execute(db)
}

const failure = ({ code, message }: { code: string; message: string }) => sql`
  last_error_at = now(), last_error_code = ${code}, last_error_message = ${message}`

/** The last heartbeat of any worker process; null if there never was one. */
export async function workersLastSeen(db: Database): Promise<Date | null> {
  const found = await firstRow(db, sql<{ seenAt: Date | null }>`select ${workersSeenAt} as "seenAt"`)
  return found?.seenAt ?? null
}
