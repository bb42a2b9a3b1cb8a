import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { Work } from './work.ts'

const workColumns = sql`
  work_id as "workId", kind, subject, input, status, done, total, unit, result, attempts, last_error_at as "lastErrorAt",
  last_error_code as "lastErrorCode", last_error_message as "lastErrorMessage", created_at as "createdAt",
  started_at as "startedAt", finished_at as "finishedAt"`

/** Records work unless the same is under way; it may have ended already. @returns the new work, or undefined */
export function insertWork(
  db: Database,
  work: Pick<Work, 'workId' | 'kind' | 'subject' | 'input' | 'status'>,
): Promise<Work | undefined> {
  return firstRow(
    db,
    sql<Work>`
      insert into work (work_id, kind, subject, input, status, finished_at)
      values (${work.workId}, ${work.kind}, ${work.subject}, ${JSON.stringify(work.input)}::jsonb, ${work.status},
        case when ${work.status} in ('queued', 'running') then null else now() end)
      on conflict (kind, subject) where status in ('queued', 'running') do nothing
      returning ${workColumns}`,
  )
}

/** Days for which ended work is kept once the same was asked for again. */
const endedKeptDays = 30

/** Forgets what ended long ago about the subject of newer work: what is asked for every day would pile up. */
export async function forgetEndedWork(
  db: Database,
  { workId, kind, subject }: Pick<Work, 'workId' | 'kind' | 'subject'>,
): Promise<void> {
  await sql`
    delete from work
    where kind = ${kind} and subject = ${subject} and work_id <> ${workId}
      and finished_at < now() - ${endedKeptDays} * interval '1 day'`.execute(db)
}

export function workById(db: Database, workId: string): Promise<Work | undefined> {
  return firstRow(db, sql<Work>`select ${workColumns} from work where work_id = ${workId}`)
}

/** The newest work about a subject, under way or ended. */
export function newestWork(db: Database, kind: string, subject: string): Promise<Work | undefined> {
  return firstRow(
    db,
    sql<Work>`
      select ${workColumns} from work where kind = ${kind} and subject = ${subject} order by work_id desc limit 1`,
  )
}

/** The newest work about each of some subjects, in no order; subjects nobody asked about are left out. */
export function newestWorks(db: Database, kind: string, subjects: readonly string[]): Promise<Work[]> {
  return rows(
    db,
    sql<Work>`
      select distinct on (subject) ${workColumns} from work
      where kind = ${kind} and subject in (select json_array_elements_text(${JSON.stringify(subjects)}::json))
      order by subject, work_id desc`,
  )
}

/** Work that has not ended and was asked for before an instant, oldest first. */
export function workUnderWay(db: Database, before: Date): Promise<Pick<Work, 'workId' | 'kind'>[]> {
  return rows(
    db,
    sql<Pick<Work, 'workId' | 'kind'>>`
      select work_id as "workId", kind from work
      where status in ('queued', 'running') and created_at < ${before} order by work_id`,
  )
}

/** Counts an attempt. @returns the work, or undefined when it has ended already */
export function startWork(db: Database, workId: string): Promise<Work | undefined> {
  return firstRow(
    db,
    sql<Work>`
      update work set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now())
      where work_id = ${workId} and status in ('queued', 'running')
      returning ${workColumns}`,
  )
}

export async function tellProgress(
  db: Database,
  workId: string,
  progress: { done: number; total: number | null; unit: string },
): Promise<void> {
  await sql`
    update work set done = ${progress.done}, total = ${progress.total}::integer, unit = ${progress.unit}
    where work_id = ${workId}`.execute(db)
}

export interface WorkEnd {
  status: 'succeeded' | 'partial' | 'failed'
  result: Record<string, unknown>
  error?: { code: string; message: string }
}

/**
 * Ends work that has not ended; what an earlier attempt failed with stays unless this end says something else. Of two
 * workers that performed the same, the first one tells how it ended.
 */
export async function endWork(db: Database, workId: string, end: WorkEnd): Promise<void> {
  await sql`
    update work set status = ${end.status}, result = ${JSON.stringify(end.result)}::jsonb, finished_at = now(),
      ${end.error ? failure(end.error) : sql`work_id = work_id`}
    where work_id = ${workId} and status in ('queued', 'running')`.execute(db)
}

/** Puts work that has not ended back after a failed attempt; the queue tries it again. */
export async function putBackWork(
  db: Database,
  workId: string,
  error: { code: string; message: string },
): Promise<void> {
  await sql`
    update work set status = 'queued', ${failure(error)}
    where work_id = ${workId} and status in ('queued', 'running')`.execute(db)
}

const failure = ({ code, message }: { code: string; message: string }) => sql`
  last_error_at = now(), last_error_code = ${code}, last_error_message = ${message}`
