import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { bigintId, bigintOf } from '../../storage/ids.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { countChange } from '../evidence/changes.ts'

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
    await countChange(transaction, ['other'])
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
    await countChange(transaction, ['other'])
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
