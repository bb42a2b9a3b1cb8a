import { sql } from 'kysely'
import { type Database, inTransaction, rows } from '../../../storage/database.ts'
import { type AskedPlatform, askedPlatforms, searchSubjectsOf } from '../../../vocabulary/ad-platforms.ts'
import type { Enqueue } from '../../work/ask-for-work.ts'
import { searchPlan, withQueryDefaults } from '../search-plan.ts'
import { startRun } from './start-run.ts'

/** Imports of ads of tracked apps, from libraries that can be asked for apps. */

export const librariesOfApps = askedPlatforms.filter((platform) => searchSubjectsOf(platform).includes('apps'))

/** Most apps in one run, as in the contract, and most ads. */
const together = 100
const mostAds = 10_000
/** A failed run is started anew after so many days, however seldom runs are wanted. */
const failedDays = 1

const dayMs = 86_400_000

interface TrackedApp {
  storeId: string
  /** One of the accounts that track it. */
  accountId: string
}

/** Apps that accounts track, each once; with a time those that no run has asked for since in all countries. */
export function trackedForAds(
  db: Database,
  platform: AskedPlatform,
  { everyDays, now }: { everyDays: number | null; now: Date },
): Promise<TrackedApp[]> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  const isDue =
    everyDays === null
      ? sql`true`
      : sql`not exists (
          select 1 from ad_imports i join work w on w.work_id = i.run_id
          where i.platform = ${platform} and i.query -> 'apps' ? t.store_id::text and not i.query ? 'countries'
            and w.created_at >= case when w.status = 'failed' then ${before(Math.min(failedDays, everyDays))}::timestamptz
              else ${before(everyDays)}::timestamptz end)`
  return rows(
    db,
    sql<TrackedApp>`
      select distinct on (t.store_id) t.store_id::text as "storeId", t.account_id::text as "accountId"
      from tracked_apps t where ${isDue}
      order by t.store_id, t.account_id`,
  )
}

/**
 * When a run that did not fail was last started for apps, in all countries; apps without one since a moment are left out. Ids of runs
 * begin with their time, so that older runs are not read.
 */
export function lastAskedForAds(
  db: Database,
  platform: AskedPlatform,
  storeIds: readonly string[],
  since: Date,
): Promise<{ storeId: string; askedAt: Date }[]> {
  const firstId = since.getTime().toString(16).padStart(12, '0').padEnd(32, '0')
  return rows(
    db,
    sql<{ storeId: string; askedAt: Date }>`
      select app as "storeId", max(w.created_at) as "askedAt"
      from ad_imports i join work w on w.work_id = i.run_id and w.status <> 'failed'
      cross join jsonb_array_elements_text(i.query -> 'apps') as app
      where i.run_id >= ${firstId}::uuid and i.platform = ${platform} and not i.query ? 'countries'
        and app = any(${[...new Set(storeIds)]}::text[])
      group by app`,
  )
}

/** How many requests it takes to ask for some apps once, where no search has more than a page. */
export const requestsFor = (platform: AskedPlatform, apps: readonly string[], now: Date): number =>
  apps.length === 0
    ? 0
    : searchPlan(platform, withQueryDefaults(platform, { apps: [...apps] }, now), now).length

/** Starts runs for some apps, each for an account that tracks them. @returns their ids */
export function startRunsOfApps(
  db: Database,
  enqueue: Enqueue,
  platform: AskedPlatform,
  apps: readonly TrackedApp[],
  now: Date,
): Promise<string[]> {
  return inTransaction(db, async (transaction) => {
    const runs: string[] = []
    for (const [accountId, own] of Map.groupBy(apps, (app) => app.accountId)) {
      const storeIds = own.map(({ storeId }) => storeId)
      for (let at = 0; at < storeIds.length; at += together) {
        const query = withQueryDefaults(
          platform,
          { apps: storeIds.slice(at, at + together), limit: mostAds },
          now,
        )
        const requester = { accountId, door: 'http' } as const
        runs.push(await startRun(transaction, enqueue, requester, { platform, query, records: null }))
      }
    }
    return runs
  })
}
