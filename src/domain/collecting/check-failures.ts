import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { bigintId, bigintOf } from '../../storage/ids.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { countChange } from '../evidence/changes.ts'

/** Apps of a storefront, and which part of them is checked. */
export interface CheckedApps {
  kind: CheckKind
  country: string
  storeIds: readonly string[]
}

/** Why an app could not be checked. */
export interface CheckFailure {
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
