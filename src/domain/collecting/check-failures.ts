import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId, bigintOf } from '../../storage/ids.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { countedChange } from '../evidence/changes.ts'

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
  const change = sql`
    insert into check_failures (store_id, country, kind, failed_at, code, message)
    select distinct ${bigintOf(sql`value`)}, ${country}::text, ${kind}::text, ${at}::timestamptz, ${code}::text,
      ${message}::text
    from json_array_elements_text(${JSON.stringify(storeIds)}::json)
    order by 1
    on conflict (store_id, country, kind) do update
      set failed_at = excluded.failed_at, code = excluded.code, message = excluded.message
    returning kind`
  await countedChange(change).execute(db)
}

/** Clears the failures: the source has answered, even if only that it does not have the app. */
export async function clearCheckFailures(
  db: Database,
  { kind, country, storeIds }: CheckedApps,
): Promise<void> {
  const change = sql`
    delete from check_failures
    where country = ${country} and kind = ${kind}
      and store_id in (select ${bigintOf(sql`value`)} from json_array_elements_text(${JSON.stringify(storeIds)}::json))
    returning kind`
  await countedChange(change).execute(db)
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
