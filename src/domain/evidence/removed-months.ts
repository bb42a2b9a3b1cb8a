import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { RetainedKindName } from '../../vocabulary/retention.ts'

/** Records the removal of a month of a kind, in the transaction that removes it. @param month `YYYY-MM` */
export async function recordRemovedMonth(
  db: Database,
  kind: RetainedKindName,
  month: string,
  removed: number,
): Promise<void> {
  await sql`
    insert into removed_months as known (kind, month, removed) values (${kind}, ${`${month}-01`}::date, ${removed})
    on conflict (kind, month) do update set removed = known.removed + excluded.removed, removed_at = default`.execute(
    db,
  )
}

/**
 * The first day after all removed months of these kinds, `YYYY-MM-DD`: data derived only from evidence since then are
 * complete. Null where nothing was removed.
 */
export const firstCompleteDaySql = (kinds: readonly RetainedKindName[]) => sql<string | null>`
  (select (max(month) + interval '1 month')::date::text from removed_months where kind = any(${[...kinds]}::text[]))`

/** The same by a statement of its own; undefined where nothing was removed. */
export async function firstCompleteDay(
  db: Database,
  kinds: readonly RetainedKindName[],
): Promise<string | undefined> {
  const found = await firstRow(db, sql<{ day: string | null }>`select ${firstCompleteDaySql(kinds)} as day`)
  return found?.day ?? undefined
}

/** Readings of a format whose payloads were removed. */
export interface ReadingsWithoutPayload {
  format: string
  readings: number
  /** The last month in which one of them was stored, `YYYY-MM`. */
  until: string
}

/** Number of readings whose payload was removed, without withdrawn ones, by format. Reads only removed months. */
export function readingsWithoutPayload(
  db: Database,
  formats: readonly string[],
): Promise<ReadingsWithoutPayload[]> {
  return rows(
    db,
    sql<ReadingsWithoutPayload>`
      select format, count(*)::int as readings, to_char(max(r.month), 'YYYY-MM') as until
      from readings r
      where r.month = any(array(select month from removed_months where kind = 'payloads'))
        and withdrawn_at is null and format = any(${[...formats]}::text[])
        and not exists (select from payloads p where p.payload_hash = r.payload_hash and p.month = r.month)
      group by format order by format`,
  )
}
