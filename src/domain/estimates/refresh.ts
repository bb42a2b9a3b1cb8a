import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, inTransaction, rows } from '../../storage/database.ts'
import { fulfilRequests } from '../demand/queries.ts'
import { appScope } from '../evidence/change-scopes.ts'
import { countChange } from '../evidence/changes.ts'
import type { PerformWork, WorkKind } from '../work/work.ts'
import { estimateEvidence } from './evidence.ts'
import { writeEstimates } from './queries.ts'
import { estimateDays } from './series.ts'

const RefreshInput = z.strictObject({ storeId: z.string(), country: z.string() })

/** The app and storefront of a refresh. */
export type RefreshInput = z.output<typeof RefreshInput>

export const estimateRefresh: WorkKind<RefreshInput> = {
  name: 'estimate-refresh',
  input: RefreshInput,
  unit: 'days',
}

/** The key of a refresh: a repeated request while one is under way returns the same work. */
export function refreshSubject({ storeId, country }: RefreshInput): string {
  return `${storeId} ${country}`
}

/** Estimates every day of the stored evidence again. Idempotent. */
export function performEstimateRefresh(db: Database): PerformWork<RefreshInput> {
  return async ({ input: app }, report) => {
    const days = await refreshEstimates(db, app, new Date())
    await report({ done: days, total: days })
    return { status: 'succeeded', result: { days } }
  }
}

/** @returns number of days considered; 0 where nothing is stored of the app and of its storefront's charts */
export async function refreshEstimates(
  db: Database,
  { storeId, country }: RefreshInput,
  now: Date,
): Promise<number> {
  const evidence = await estimateEvidence(db, { storeId, country }, now)
  if (evidence.days.length === 0) return 0
  const days = estimateDays(evidence)
  await inTransaction(db, async (transaction) => {
    const isNew = await writeEstimates(transaction, { storeId, country }, days, evidence.versions, now)
    if (days.some(({ range }) => range))
      await fulfilRequests(transaction, [{ kind: 'estimates', country, storeIds: [storeId] }])
    // Requests of other accounts are private: unchanged estimates do not count as a change of estimates.
    await countChange(transaction, [
      { area: isNew ? 'estimates' : 'other', scopes: [appScope(storeId, country)] },
    ])
  })
  return evidence.days.length
}

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
