import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintOf } from '../../storage/ids.ts'

const columnOf = { lookup: 'looked_up_at', page: 'page_read_at' } as const

/** What of an app was checked: its record by Lookup, or its page. */
export type CheckKind = keyof typeof columnOf

/** Notes that apps were checked, whether or not the store had them; each may be named more than once. */
export async function noteChecks(
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

export interface CheckRules {
  /** Apps not checked since then are due. */
  before: Date
  /** Tracked apps not checked since then are due. */
  trackedBefore: Date
}

/**
 * Stored apps of a storefront that are due: tracked ones first, then those never checked, then those checked longest
 * ago.
 */
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
        (select r.store_id, 1
        from app_records r
        where r.country = ${country} and not exists (
          select from app_checks k where k.store_id = r.store_id and k.country = ${country} and ${column} is not null)
        order by coalesce(r.rating_count, -1), r.store_id limit ${limit})
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
