import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { AuditOutcome } from '../../vocabulary/audit.ts'
import type { StoreFigure, StoreFigureName } from '../../vocabulary/store-figures.ts'
import { noWorkerSince } from './work.ts'

/** Jobs that could start by now. */
const waitingJobs = sql`pgboss.job where state in ('created', 'retry') and start_after <= now()`
const secondsSince = (at: RawBuilder<unknown>) => sql`greatest(0, extract(epoch from now() - ${at}))`

const figure = (
  name: StoreFigureName,
  labels: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
) =>
  sql`select ${name}::text as name, array[${labels}]::text[] as labels, (${value})::double precision as value from ${from}`

const none = sql``
const ofSource = sql`source, country`

/**
 * Metrics of a store's jobs, sources, keys, backups, disk and size; unordered. Two seconds or less at the size of the whole
 * App Store.
 */
export async function storeFiguresNow({
  requests: { db },
  disk,
}: Pick<Store, 'requests' | 'disk'>): Promise<StoreFigure[]> {
  const figures = [
    figure(
      'rivalscope_jobs',
      sql`name, state`,
      sql`count(*)`,
      sql`(
        select name, case when state in ('created', 'retry') then 'queued' when state = 'active' then 'running' else 'failed' end as state
        from pgboss.job
        where state in ('created', 'retry', 'active') or state = 'failed' and completed_on > now() - interval '1 day'
      ) jobs group by name, state`,
    ),
    figure(
      'rivalscope_job_oldest_waiting_seconds',
      sql`name`,
      secondsSince(sql`min(start_after)`),
      sql`${waitingJobs} group by name`,
    ),
    figure(
      'rivalscope_worker_silent_seconds',
      none,
      secondsSince(sql`cron_on`),
      sql`pgboss.version where cron_on is not null`,
    ),
    figure(
      'rivalscope_schedule_lag_seconds',
      none,
      secondsSince(sql`max(completed_on)`),
      sql`pgboss.job where name = 'schedule' and state = 'completed' having count(*) > 0`,
    ),
    figure('rivalscope_source_failures', ofSource, sql`failures`, sql`source_health`),
    figure(
      'rivalscope_source_failing_seconds',
      ofSource,
      sql`coalesce(${secondsSince(sql`failing_since`)}, 0)`,
      sql`source_health`,
    ),
    figure(
      'rivalscope_source_last_success_seconds',
      ofSource,
      secondsSince(sql`last_success_at`),
      sql`source_health where last_success_at is not null`,
    ),
    figure('rivalscope_upstream_calls_total', sql`upstream, outcome`, sql`calls`, sql`upstream_calls`),
    figure(
      'rivalscope_upstream_hold_seconds',
      sql`upstream`,
      sql`greatest(0, coalesce(extract(epoch from held_until - now()), 0))`,
      sql`upstream_rate_limits`,
    ),
    figure(
      'rivalscope_keys_expiring',
      none,
      sql`count(*)`,
      sql`api_keys where revoked_at is null and expires_at between now() and now() + interval '7 days'`,
    ),
    figure(
      'rivalscope_backup_age_seconds',
      none,
      secondsSince(sql`max(at)`),
      sql`${backupsThat('done')} having count(*) > 0`,
    ),
    figure(
      'rivalscope_backup_failures',
      none,
      sql`count(*)`,
      sql`${backupsThat('failed')} and at > coalesce((select max(at) from ${backupsThat('done')}), '-infinity')`,
    ),
    figure('rivalscope_store_bytes', none, sql`pg_database_size(current_database())`, sql`(select) one`),
    figure('rivalscope_table_bytes', sql`name`, sql`sum(pg_total_relation_size(part))`, tables),
    figure('rivalscope_table_rows', sql`name`, sql`sum(greatest(0, reltuples))`, tables),
  ]
  const told = await rows(db, sql<StoreFigure>`${sql.join(figures, sql` union all `)}`)
  const { freeBytes, isFull } = await disk()
  if (freeBytes !== undefined)
    told.push({ name: 'rivalscope_store_disk_free_bytes', labels: [], value: freeBytes })
  return [...told, { name: 'rivalscope_store_disk_full', labels: [], value: isFull ? 1 : 0 }]
}

/** Number of runs of `rivalscope backup` by outcome. */
const backupsThat = (outcome: AuditOutcome) =>
  sql`audit_events where operation = 'backup' and outcome = ${sql.lit(outcome)}`

/** The tables of this schema, each partition with its parent table. */
const tables = sql`(
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, c.oid as part, c.reltuples
  from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
) parts group by name`

/** The time since when no worker processes waiting jobs; undefined while one does, or none waits. */
export async function jobsUnprocessedSince(db: Database): Promise<Date | undefined> {
  const found = await firstRow(
    db,
    sql<{ oldest: Date | null; workersSeenAt: Date | null }>`
      select (select min(start_after) from ${waitingJobs}) as oldest, (select cron_on from pgboss.version limit 1) as "workersSeenAt"`,
  )
  if (!found?.oldest) return undefined
  return noWorkerSince({ createdAt: found.oldest, workersSeenAt: found.workersSeenAt }, new Date())
}
