import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import type { AdPlatform, LibrarySource } from '../../../vocabulary/ad-platforms.ts'
import type { Door } from '../../../vocabulary/provenance.ts'
import type { WorkState } from '../../../vocabulary/work-states.ts'
import { withCountedChange } from '../../evidence/changes.ts'
import { workById } from '../../work/queries.ts'
import type { AdQuery } from '../search-plan.ts'
import type { ImportRun, RejectedRecord, RunNote, RunState } from './import-run.ts'
import { maxRejectionsStored } from './import-run.ts'

const columns = sql`
  run_id as "runId", account_id as "accountId", door, withdrawn_at as "withdrawnAt", platform, query, search, cursor, page_size as "pageSize", restarts,
  search_read as "searchRead", counted, requests, pages, read, stored, updated, unchanged, rejected, rejections, notes,
  ended_at_position as "endedAtPosition", attempts_before as "attemptsBefore"`

export interface NewRun {
  runId: string
  accountId: string
  door: Door
  platform: AdPlatform
  argumentsHash: string
  query: AdQuery | null
  records: Uint8Array | null
}

export async function insertRun(db: Database, run: NewRun): Promise<void> {
  const { runId, accountId, door, platform, argumentsHash, query, records } = run
  await sql`
    insert into ad_imports (run_id, account_id, door, platform, arguments_hash, query, records)
    values (${runId}, ${accountId}, ${door}, ${platform}, ${argumentsHash}, ${query && JSON.stringify(query)}::jsonb, ${records})`.execute(
    db,
  )
}

/** The run under way with these arguments. */
export async function runUnderWay(
  db: Database,
  accountId: string,
  argumentsHash: string,
): Promise<string | undefined> {
  const found = await firstRow(
    db,
    sql<{ runId: string }>`
      select run_id as "runId" from ad_imports join work on work_id = run_id
      where account_id = ${accountId} and arguments_hash = ${argumentsHash} and status in ('queued', 'running')`,
  )
  return found?.runId
}

/** Serialises starts with the same arguments until the transaction ends. */
export async function lockArguments(db: Database, accountId: string, argumentsHash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${accountId} ${argumentsHash}`}, 21))`.execute(db)
}

export function runState(db: Database, runId: string): Promise<RunState | undefined> {
  return firstRow(db, sql<RunState>`select ${columns} from ad_imports where run_id = ${runId}`)
}

/** As `runState`, with a row lock until the transaction ends. */
export function lockedRunState(db: Database, runId: string): Promise<RunState | undefined> {
  return firstRow(db, sql<RunState>`select ${columns} from ad_imports where run_id = ${runId} for update`)
}

/** A run of an account, with its work; undefined when the account has no run with that id. */
export async function importRun(
  db: Database,
  accountId: string,
  runId: string,
): Promise<ImportRun | undefined> {
  // Read the work first: counts must not be older than the state they belong to.
  const work = await workById(db, runId)
  const state = await runState(db, runId)
  return work && state && state.accountId === accountId ? { work, state } : undefined
}

/** A run in the list of its account. */
export interface ListedRun {
  runId: string
  platform: AdPlatform
  /** Null for inline records. */
  query: AdQuery | null
  status: WorkState
  read: number
  stored: number
  rejected: number
  createdAt: Date
}

/** Maximum runs in a list. */
const mostListed = 50

/** The newest runs of an account, whoever of it started them and wherever, newest first. */
export function newestRuns(db: Database, accountId: string): Promise<ListedRun[]> {
  return rows(
    db,
    sql<ListedRun>`
      select run_id as "runId", platform, query, status, read, stored, rejected, created_at as "createdAt"
      from ad_imports join work on work_id = run_id
      where account_id = ${accountId} order by created_at desc, run_id desc limit ${mostListed}`,
  )
}

/** The inline records of a run, kept until they are stored as a reading. */
export async function runRecords(db: Database, runId: string): Promise<Uint8Array | null> {
  const found = await firstRow(
    db,
    sql<{ records: Uint8Array | null }>`select records from ad_imports where run_id = ${runId}`,
  )
  return found?.records ?? null
}

export async function deleteRecords(db: Database, runId: string): Promise<void> {
  await sql`update ad_imports set records = null where run_id = ${runId}`.execute(db)
}

/** The counts of one page, or of all inline records. */
export interface PageCounts {
  read: number
  stored: number
  updated: number
  unchanged: number
  rejections: readonly RejectedRecord[]
}

/** Adds the counts of a page. */
export async function addPageCounts(db: Database, runId: string, page: PageCounts): Promise<void> {
  await sql`
    update ad_imports set read = read + ${page.read}, stored = stored + ${page.stored},
      updated = updated + ${page.updated}, unchanged = unchanged + ${page.unchanged},
      rejected = rejected + ${page.rejections.length}, counted = counted + ${page.read},
      search_read = search_read + ${page.read}, pages = pages + 1,
      rejections = case when jsonb_array_length(rejections) >= ${maxRejectionsStored} then rejections
        else jsonb_path_query_array(rejections || ${JSON.stringify(page.rejections)}::jsonb,
          ${`$[0 to ${maxRejectionsStored - 1}]`}::jsonpath) end
    where run_id = ${runId}`.execute(db)
}

/** Where the run continues in its search. */
export async function saveSearchCursor(db: Database, runId: string, cursor: string): Promise<void> {
  await sql`update ad_imports set cursor = ${cursor} where run_id = ${runId}`.execute(db)
}

/** Moves the run to its next search. */
export async function startNextSearch(db: Database, runId: string): Promise<void> {
  await sql`
    update ad_imports set search = search + 1, cursor = null, search_read = 0, restarts = 0
    where run_id = ${runId}`.execute(db)
}

/** Restarts the search. What it had read no longer counts against the limit: it will be read again. */
export async function restartSearch(db: Database, { runId, search, cursor }: RunState): Promise<void> {
  await sql`
    update ad_imports set cursor = null, counted = counted - search_read, search_read = 0, restarts = restarts + 1
    where run_id = ${runId} and search = ${search} and cursor = ${cursor}`.execute(db)
}

export async function countRequests(db: Database, runId: string, requests: number): Promise<void> {
  await sql`update ad_imports set requests = requests + ${requests} where run_id = ${runId}`.execute(db)
}

export async function setPageSize(db: Database, runId: string, size: number): Promise<void> {
  await sql`update ad_imports set page_size = ${size} where run_id = ${runId}`.execute(db)
}

/** Stores one note of each kind; a newer one replaces it. */
export async function addRunNote(db: Database, runId: string, note: RunNote): Promise<void> {
  await sql`
    update ad_imports set notes = coalesce(
      (select jsonb_agg(n) from jsonb_array_elements(notes) n where n ->> 'code' <> ${note.code}), '[]'
    ) || ${JSON.stringify([note])}::jsonb
    where run_id = ${runId}`.execute(db)
}

export async function endRunReading(
  db: Database,
  runId: string,
  position: NonNullable<RunState['endedAtPosition']>,
): Promise<void> {
  await sql`update ad_imports set ended_at_position = ${position} where run_id = ${runId}`.execute(db)
}

/** Reopens a failed or partial run. @returns whether it was one */
export async function reopenRun(db: Database, runId: string): Promise<boolean> {
  const reopened = await firstRow(
    db,
    withCountedChange(sql`
      update work set status = 'queued', finished_at = null, result = '{}'
      where work_id = ${runId} and status in ('failed', 'partial') returning work_id`),
  )
  if (!reopened) return false
  await sql`
    update ad_imports set ended_at_position = null, restarts = 0,
      attempts_before = (select attempts from work where work_id = ${runId}),
      notes = coalesce((select jsonb_agg(n) from jsonb_array_elements(notes) n
        where n ->> 'code' not in ('stopped-early', 'limit-reached')), '[]')
    where run_id = ${runId}`.execute(db)
  return true
}

/** Removes the notes of a kind from a run. */
export async function removeRunNote(db: Database, runId: string, code: RunNote['code']): Promise<void> {
  await sql`
    update ad_imports set notes = coalesce(
      (select jsonb_agg(n) from jsonb_array_elements(notes) n where n ->> 'code' <> ${code}), '[]')
    where run_id = ${runId} and notes @> ${JSON.stringify([{ code }])}::jsonb`.execute(db)
}

/** Whether a library answered a search with ads between two moments. */
export async function answeredWithAds(
  db: Database,
  source: LibrarySource,
  from: Date,
  before: Date,
): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select from readings
      where observed_at >= ${from} and observed_at < ${before} and source = ${source}
        and context ->> 'adSearch' is not null and records > 0
      limit 1`,
  )
  return found !== undefined
}

/** Whether ads of an advertiser whose id holds this text, in any case, were observed within a year. */
export async function hasAdsOf(db: Database, platform: AdPlatform, text: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select from ads
      where platform = ${platform} and position(lower(${text}) in lower(advertiser_id)) > 0
        and last_observed_at > now() - interval '1 year'
      limit 1`,
  )
  return found !== undefined
}

/** Whether an earlier page of this search had ads. */
export async function searchHadAds(db: Database, searchKey: string, before: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select from readings
      where context ->> 'adSearch' = ${searchKey} and observed_at < ${before} and records > 0
      limit 1`,
  )
  return found !== undefined
}

/** The searches among these of which a page with ads was stored since a moment of the clock of the database. */
export async function searchesWithAds(
  db: Database,
  searchKeys: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ key: string }>`
      select distinct context ->> 'adSearch' as key from readings
      where context ->> 'adSearch' = any(${[...searchKeys]}::text[]) and stored_at >= ${since} and records > 0`,
  )
  return new Set(found.map(({ key }) => key))
}
