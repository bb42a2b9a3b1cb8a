import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { labelsOfApps } from '../catalogue/app-queries.ts'
import { trackedSubjects, type WatchDefinition } from './watch.ts'

/** The apps of a watch with their names; for tracked ones, those the account tracks now. */
export async function appsOf(
  db: Database,
  accountId: string,
  { app, country }: Extract<WatchDefinition, { app: string }> & { country?: string },
): Promise<Map<string, string>> {
  if (!(trackedSubjects as readonly string[]).includes(app)) return namesIn(db, [app], country ?? 'us')
  const role = { own: 'own', rivals: 'rival' }[app] ?? null
  const tracked = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from tracked_apps
      where account_id = ${accountId}::uuid and (${role}::text is null or role = ${role})
        and (${country ?? null}::text is null or country = ${country ?? null})
      order by 1`,
  )
  return namesIn(
    db,
    tracked.map(({ storeId }) => storeId),
    country ?? 'us',
  )
}

/** Names of apps by their ids; `App <id>` for those without one. */
export async function namesIn(
  db: Database,
  storeIds: readonly string[],
  country: string,
): Promise<Map<string, string>> {
  const names = new Map((await labelsOfApps(db, storeIds, country)).map(({ storeId, name }) => [storeId, name]))
  return new Map(storeIds.map((storeId) => [storeId, names.get(storeId) ?? `App ${storeId}`]))
}
