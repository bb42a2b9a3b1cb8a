import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { estimateRefresh, type RefreshInput } from './refresh.ts'

/**
 * Apps with requested estimates, and tracked apps, without a refresh since; those being refreshed are left out. Longest ago
 * first. Subjects are found by a loose index scan, and only the newest work of each is read: every refresh adds a work, and
 * this query runs every minute.
 */
export function dueRefreshes(db: Database, before: Date, limit: number): Promise<RefreshInput[]> {
  return rows(
    db,
    sql<RefreshInput>`
      with recursive subjects as (
        (select subject from work where kind = ${estimateRefresh.name} order by subject limit 1)
        union all
        select (
          select w.subject from work w where w.kind = ${estimateRefresh.name} and w.subject > s.subject order by w.subject limit 1)
        from subjects s where s.subject is not null
      ), asked as (
        select newest.*
        from subjects s cross join lateral (
          select w.subject, w.input ->> 'storeId' as "storeId", w.input ->> 'country' as country, w.status, w.created_at
          from work w where w.kind = ${estimateRefresh.name} and w.subject = s.subject order by w.work_id desc limit 1
        ) newest
      )
      select "storeId", country from (
        select "storeId", country, created_at from asked
        where created_at < ${before} and status not in ('queued', 'running')
        union all
        select distinct t.store_id::text, t.country, '-infinity'::timestamptz
        from tracked_apps t where not exists (select 1 from asked where subject = t.store_id || ' ' || t.country)
      ) due
      order by created_at, "storeId", country limit ${limit}`,
  )
}
