import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import type { WorkState } from '../../vocabulary/work-states.ts'
import { withCountedChange } from '../evidence/changes.ts'
import { insertWork, newestWork, workColumns, workersSeenAt } from './queries.ts'
import { readInput, type Work, type WorkKind } from './work.ts'

/** Adds a job to the queue, in the same transaction as the data that requires it. */
export type Enqueue = (
  transaction: Database,
  kind: Pick<WorkKind, 'name'>,
  data: { workId: string },
) => Promise<void>

/** A request for work: kind, subject and input. */
export interface WorkAsked<Input> {
  kind: WorkKind<Input>
  subject: string
  input: NoInfer<Input>
}

/** Records work and its job atomically; a second request while it is under way returns the same work. */
export function askForWork<Input>(db: Database, enqueue: Enqueue, asked: WorkAsked<Input>): Promise<Work> {
  return atomically(db, (transaction) => askForWorkWithin(transaction, enqueue, asked))
}

/** As `askForWork`, inside the caller's transaction. */
export async function askForWorkWithin<Input>(
  transaction: Database,
  enqueue: Enqueue,
  { kind, subject, input }: WorkAsked<Input>,
): Promise<Work> {
  const asked = { kind: kind.name, subject, input: readInput(kind, input) }
  const found = await insertWork(transaction, { workId: uuidv7(), status: 'queued', ...asked })
  if (found?.fresh) await enqueue(transaction, kind, { workId: found.workId })
  const work = found ?? (await newestWork(transaction, kind.name, subject))
  if (!work) throw new Error(`Work on ${kind.name} ${subject} is neither new nor known.`)
  return work
}

/** Work that is reported to an account. */
export interface RequestedWork extends Work {
  /** Its subject in the words of the account's request; null where it gave none. */
  askedAs: string | null
}

/** The requester of work: an account with its own words for it, or null for the installation, whose work everybody sees. */
export interface Requester {
  accountId: string | null
  askedAs?: string
}

/** Records that an account or the installation requested work, with their latest words for it. */
export async function recordRequester(
  db: Database,
  workId: string,
  { accountId, askedAs }: Requester,
): Promise<void> {
  const change = sql`
    insert into work_requesters as known (work_id, account_id, asked_as) values (${workId}, ${accountId}::uuid, ${askedAs ?? null})
    on conflict (work_id, account_id) do update set asked_as = coalesce(excluded.asked_as, known.asked_as)
    returning account_id`
  await withCountedChange(change).execute(db)
}

/** Adds everyone who requested the same work before as a requester of work that the installation continues. */
export async function recordEarlierRequesters(
  db: Database,
  { workId, kind, subject }: Pick<Work, 'workId' | 'kind' | 'subject'>,
): Promise<void> {
  const change = sql`
    insert into work_requesters (work_id, account_id)
    select distinct ${workId}::uuid, a.account_id
    from work join work_requesters a using (work_id)
    where kind = ${kind} and subject = ${subject} and work_id <> ${workId}
    on conflict do nothing
    returning account_id`
  await withCountedChange(change).execute(db)
}

/** The newest work on each of some subjects that the account or the installation requested, unordered. */
export function newestWorksFor(
  db: Database,
  accountId: string,
  kind: string,
  subjects: readonly string[],
): Promise<RequestedWork[]> {
  return rows(
    db,
    sql<RequestedWork>`
      select distinct on (subject) ${workColumns}, asked_as as "askedAs"
      from work join work_requesters using (work_id)
      where kind = ${kind} and subject in (select json_array_elements_text(${JSON.stringify(subjects)}::json))
        and (account_id = ${accountId}::uuid or account_id is null)
      order by subject, work_id desc, account_id nulls last`,
  )
}

/** As `newestWorksFor`, for one subject. */
export async function newestWorkFor(
  db: Database,
  accountId: string,
  kind: string,
  subject: string,
): Promise<RequestedWork | undefined> {
  const [found] = await newestWorksFor(db, accountId, kind, [subject])
  return found
}

/** Status of the newest work on a subject that the account or the installation requested; null where neither did. */
export const newestStatusFor = (accountId: string, kind: string, subject: string) => sql<WorkState | null>`
  (select status from work join work_requesters using (work_id)
   where kind = ${kind} and subject = ${subject} and (account_id = ${accountId}::uuid or account_id is null)
   order by work_id desc limit 1)`

/** How much work of a kind an account requested before an instant is still under way. */
export async function countRequestedBefore(
  db: Database,
  accountId: string,
  kind: string,
  before: Date,
): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ count: number }>`
      select count(*)::int as count from work join work_requesters using (work_id)
      where kind = ${kind} and status in ('queued', 'running') and created_at < ${before}
        and account_id = ${accountId}::uuid`,
  )
  return found?.count ?? 0
}

/** Work of one kind that an account or the installation asked for, and that is overdue. */
export interface OverdueWork {
  kind: string
  waiting: number
  /** When the one that waits longest was asked for, in milliseconds; null where none waits for too long. */
  waitingSince: number | null
  failing: number
  /** When the newest of those failed, in milliseconds, and why; null where none fails. */
  failedAt: number | null
  message: string | null
}

/**
 * The last heartbeat of a worker, null if there never was one, and what is overdue of what an account or the installation asked for, by kind.
 * @param before work that waits since then is overdue
 * @param often attempts from which on work is failing
 */
export async function workStateOf(
  db: Database,
  accountId: string,
  { before, often }: { before: Date; often: number },
): Promise<{ workersSeenAt: Date | null; overdue: OverdueWork[] }> {
  const found = await firstRow(
    db,
    sql<{ workersSeenAt: Date | null; overdue: OverdueWork[] }>`
      with open as materialized (
        select distinct w.work_id, w.kind, w.created_at, w.last_error_at, w.last_error_message,
          w.status = 'queued' and w.created_at < ${before} as waits,
          w.attempts >= ${often} and w.last_error_at is not null as fails
        from work w join work_requesters r using (work_id)
        where w.status in ('queued', 'running') and (r.account_id = ${accountId}::uuid or r.account_id is null)
      ), late as materialized (
        select kind, count(*) filter (where waits)::int as waiting,
          extract(epoch from min(created_at) filter (where waits)) * 1000 as waiting_since,
          count(*) filter (where fails)::int as failing,
          extract(epoch from max(last_error_at) filter (where fails)) * 1000 as failed_at,
          (array_agg(last_error_message order by last_error_at desc) filter (where fails))[1] as message
        from open where waits or fails group by kind
      )
      select ${workersSeenAt} as "workersSeenAt", coalesce((
        select json_agg(json_build_object('kind', kind, 'waiting', waiting, 'waitingSince', waiting_since,
          'failing', failing, 'failedAt', failed_at, 'message', message) order by kind) from late
      ), '[]') as overdue`,
  )
  return found ?? { workersSeenAt: null, overdue: [] }
}
