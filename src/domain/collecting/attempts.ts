import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { bigintId, bigintOf } from '../../storage/ids.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AttemptOutcome, CheckKind } from '../../vocabulary/collecting.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { appScope } from '../evidence/change-scopes.ts'
import { countChange, withCountedChange } from '../evidence/changes.ts'

const columnOf = { lookup: 'looked_up_at', page: 'page_read_at' } as const

/** Records that apps were checked, whether or not the store had them; an app may be named more than once. */
export async function recordChecks(
  db: Database,
  kind: CheckKind,
  country: string,
  storeIds: readonly string[],
  at: Date,
): Promise<void> {
  const column = sql.ref(columnOf[kind])
  await sql`
    insert into app_checks (store_id, country, ${column})
    select distinct ${bigintOf(sql`value`)}, ${country}::text, ${at}::timestamptz
    from json_array_elements_text(${JSON.stringify(storeIds)}::json)
    order by 1
    on conflict (store_id, country) do update set ${column} = excluded.${column}`.execute(db)
}

/** Schedules checks of apps that were stored for the first time. */
export async function registerForChecks(
  db: Database,
  apps: readonly { storeId: string; country: string }[],
): Promise<void> {
  if (apps.length === 0) return
  await sql`
    insert into app_checks (store_id, country)
    select store_id, country
    from json_to_recordset(${JSON.stringify(apps.map(({ storeId, country }) => ({ store_id: storeId, country })))}::json)
      as sent(store_id bigint, country text)
    order by store_id, country
    on conflict do nothing`.execute(db)
}

export interface CheckRules {
  /** Apps not checked since then are due. */
  before: Date
  /** Tracked apps not checked since then are due. */
  trackedBefore: Date
}

/** Due apps of a storefront: tracked ones first, then those never checked, then by the oldest check. */
export async function dueApps(
  db: Database,
  kind: CheckKind,
  country: string,
  { before, trackedBefore }: CheckRules,
  limit: number,
): Promise<string[]> {
  const column = sql.ref(`k.${columnOf[kind]}`)
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from (
        (select t.store_id, 0 as turn
        from (select distinct store_id from tracked_apps where country = ${country}) t
        left join app_checks k on k.store_id = t.store_id and k.country = ${country}
        where ${column} is null or ${column} < ${trackedBefore}
        order by ${column} nulls first limit ${limit})
        union all
        (select k.store_id, 1 from app_checks k
        where k.country = ${country} and ${column} is null
        order by k.store_id limit ${limit})
        union all
        (select k.store_id, 2 from app_checks k
        where k.country = ${country} and ${column} < ${before}
        order by ${column} limit ${limit})
      ) due
      group by store_id
      order by min(turn), store_id
      limit ${limit}`,
  )
  return found.map((row) => row.storeId)
}

/** Apps of a storefront, and which part of them is checked. */
export interface CheckedApps {
  kind: CheckKind
  country: string
  storeIds: readonly string[]
}

/** Why an app could not be checked. */
interface CheckFailure {
  at: Date
  code: FailureKind
  message: string
}

/** Records why apps could not be checked. */
export async function recordCheckFailures(
  db: Database,
  { kind, country, storeIds }: CheckedApps,
  { at, code, message }: CheckFailure,
): Promise<void> {
  if (storeIds.length === 0) return
  await inTransaction(db, async (transaction) => {
    await sql`
      insert into check_failures (store_id, country, kind, failed_at, code, message)
      select distinct ${bigintOf(sql`value`)}, ${country}::text, ${kind}::text, ${at}::timestamptz, ${code}::text,
        ${message}::text
      from json_array_elements_text(${JSON.stringify(storeIds)}::json)
      order by 1
      on conflict (store_id, country, kind) do update
        set failed_at = excluded.failed_at, code = excluded.code, message = excluded.message`.execute(
      transaction,
    )
    await countChange(transaction, [{ area: 'other', scopes: storeIds.map((id) => appScope(id, country)) }])
  })
}

/** Clears the failures: the source has answered, even if only that it does not have the app. */
export async function clearCheckFailures(
  db: Database,
  { kind, country, storeIds }: CheckedApps,
): Promise<void> {
  const cleared = sql`
    country = ${country} and kind = ${kind}
      and store_id in (select ${bigintOf(sql`value`)} from json_array_elements_text(${JSON.stringify(storeIds)}::json))`
  // Nearly always there is none, and then nothing is written.
  if (!(await firstRow(db, sql`select kind from check_failures where ${cleared} limit 1`))) return
  await inTransaction(db, async (transaction) => {
    await sql`delete from check_failures where ${cleared}`.execute(transaction)
    await countChange(transaction, [{ area: 'other', scopes: storeIds.map((id) => appScope(id, country)) }])
  })
}

/** The checks of an app that failed last time in a storefront. */
export async function failedChecks(
  db: Database,
  storeId: string,
  country: string,
): Promise<ReadonlySet<CheckKind>> {
  const found = await rows(
    db,
    sql<{ kind: CheckKind }>`
      select kind from check_failures where store_id = ${bigintId(storeId)} and country = ${country}`,
  )
  return new Set(found.map(({ kind }) => kind))
}

/** Delay before a failed chart is tried again; it doubles with each failure. */
const firstWaitMinutes = 5
const longestWaitMinutes = 360

export async function recordAttempt(
  db: Database,
  { country, kind, categoryId, device }: ChartIdentity,
  attempt: { at: Date; outcome: AttemptOutcome; message: string | null },
): Promise<void> {
  const failed = attempt.outcome === 'failed' || attempt.outcome === 'suspect-empty'
  const change = sql`
    insert into chart_attempts as a (country, kind, category_id, device, last_at, outcome, failures, message)
    values (${country}, ${kind}, ${categoryId}, ${device}, ${attempt.at}, ${attempt.outcome}, ${failed ? 1 : 0},
      ${attempt.message})
    on conflict (country, kind, category_id, device) do update set last_at = excluded.last_at,
      outcome = excluded.outcome, message = excluded.message,
      failures = case when excluded.failures = 0 then 0 else a.failures + 1 end
    returning country`
  await withCountedChange(change, { area: 'other', scopes: [country] }).execute(db)
}

/** A chart with the beginning of the slot it is due in. */
export interface DueChart extends ChartIdentity {
  slotStart: Date
}

/**
 * The given charts that have no capture in their slot and whose delay after a failure has passed; never tried ones first,
 * then by the oldest attempt.
 */
export function dueCharts(
  db: Database,
  wanted: readonly DueChart[],
  now: Date,
  limit: number,
): Promise<ChartIdentity[]> {
  return rows(
    db,
    sql<ChartIdentity>`
      select w.country, w.kind, w."categoryId", w.device
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w(
        country text, kind text, "categoryId" integer, device text, "slotStart" timestamptz)
      left join charts c on c.country = w.country and c.kind = w.kind and c.category_id = w."categoryId"
        and c.device = w.device
      left join chart_attempts a on a.country = w.country and a.kind = w.kind and a.category_id = w."categoryId"
        and a.device = w.device
      where (c.newest_captured_at is null or c.newest_captured_at < w."slotStart")
        and (a.last_at is null or case when a.failures = 0 then a.last_at < w."slotStart"
          else a.last_at < ${now}::timestamptz - least(${longestWaitMinutes}::double precision,
            ${firstWaitMinutes} * power(2, least(a.failures, 20) - 1)) * interval '1 minute' end)
      order by a.last_at nulls first, w.country, w.kind, w."categoryId", w.device
      limit ${limit}`,
  )
}

/** Whether any of a storefront's charts of these categories has never been stored and failed at its last attempt. */
export const anyChartFails = (country: string, categoryIds: readonly number[]) => sql<boolean>`
  exists (select 1 from chart_attempts a
    where country = ${country} and category_id = any(${[...categoryIds]}::int[]) and failures > 0
      and not exists (select 1 from charts c where c.country = a.country and c.kind = a.kind
        and c.category_id = a.category_id and c.device = a.device))`

export interface FailingChart extends ChartIdentity {
  lastAt: Date
  outcome: AttemptOutcome
  failures: number
  message: string | null
}

/** Charts whose last attempt stored no snapshot, most failures first. */
export function failingCharts(db: Database, limit: number): Promise<FailingChart[]> {
  return rows(
    db,
    sql<FailingChart>`
      select country, kind, category_id as "categoryId", device, last_at as "lastAt", outcome, failures, message
      from chart_attempts where failures > 0
      order by failures desc, country, kind, category_id, device limit ${limit}`,
  )
}

export interface OverdueChart extends ChartIdentity {
  /** Of its newest capture; null where it never came. */
  newestAt: Date | null
}

/** The given charts without a capture since `before`: those that never came first, then by their newest capture. */
export function overdueCharts(
  db: Database,
  wanted: readonly (ChartIdentity & { before: Date })[],
): Promise<OverdueChart[]> {
  return rows(
    db,
    sql<OverdueChart>`
      select w.country, w.kind, w."categoryId", w.device, c.newest_captured_at as "newestAt"
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w(
        country text, kind text, "categoryId" integer, device text, "before" timestamptz)
      left join charts c on c.country = w.country and c.kind = w.kind and c.category_id = w."categoryId"
        and c.device = w.device
      where c.newest_captured_at is null or c.newest_captured_at < w."before"
      order by c.newest_captured_at nulls first, w.country, w.kind, w."categoryId", w.device`,
  )
}

/** When an app was checked in a storefront, and the last failures of a check that have not been made good. */
export interface AppChecks {
  storeId: string
  country: string
  lookedUpAt: Date | null
  pageReadAt: Date | null
  lookupFailedAt: Date | null
  lookupError: string | null
  pageFailedAt: Date | null
  pageError: string | null
}

/** The checks of apps in one statement; apps that were never checked are left out. */
export function checksOfApps(
  db: Database,
  apps: readonly { storeId: string; country: string }[],
): Promise<AppChecks[]> {
  const ids = sql`${`{${[...new Set(apps.map(({ storeId }) => storeId))].join(',')}}`}::bigint[]`
  const countries = [...new Set(apps.map(({ country }) => country))]
  const these = sql`store_id = any(${ids}) and country = any(${countries}::text[])`
  return rows(
    db,
    sql<AppChecks>`
      with k as materialized (
        select store_id, country::text, looked_up_at, page_read_at from app_checks where ${these}
      ), f as materialized (
        select store_id, country::text, max(failed_at) filter (where kind = 'lookup') as lookup_failed_at,
          max(message) filter (where kind = 'lookup') as lookup_error,
          max(failed_at) filter (where kind = 'page') as page_failed_at,
          max(message) filter (where kind = 'page') as page_error
        from check_failures where ${these} group by store_id, country
      )
      select store_id::text as "storeId", country, k.looked_up_at as "lookedUpAt", k.page_read_at as "pageReadAt",
        f.lookup_failed_at as "lookupFailedAt", f.lookup_error as "lookupError", f.page_failed_at as "pageFailedAt",
        f.page_error as "pageError"
      from k full join f using (store_id, country)`,
  )
}
