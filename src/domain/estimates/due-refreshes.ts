import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type RefreshInput, refreshKind } from './refresh.ts'

/** Apps whose estimates somebody asked for, and tracked apps, that nobody refreshed since; longest ago first. */
export function dueRefreshes(db: Database, before: Date, limit: number): Promise<RefreshInput[]> {
  return rows(
    db,
    sql<RefreshInput>`
      with asked as (
        select distinct on (subject) subject, input ->> 'storeId' as "storeId", input ->> 'country' as country,
          created_at
        from work where kind = ${refreshKind} order by subject, work_id desc
      )
      select "storeId", country from (
        select "storeId", country, created_at from asked where created_at < ${before}
        union all
        select distinct t.store_id::text, t.country, '-infinity'::timestamptz
        from tracked_apps t where not exists (select from asked where subject = t.store_id || ' ' || t.country)
      ) due
      order by created_at, "storeId", country limit ${limit}`,
  )
}
