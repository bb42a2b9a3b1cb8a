import { sql } from 'kysely'
import { type Database, rows } from '../src/storage/database.ts'

interface AppOfStorefront {
  country: string
  storeId: string
}

/** The apps, among those given with their storefronts, that have a record in the store; tested with `has`. */
export async function storedApps(
  db: Database,
  asked: readonly AppOfStorefront[],
): Promise<{ has: (app: AppOfStorefront) => boolean }> {
  const sent = JSON.stringify(asked.map(({ country, storeId }) => ({ country, storeId })))
  const found = await rows(
    db,
    sql<AppOfStorefront>`
      select r.country, r.store_id::text as "storeId"
      from json_to_recordset(${sent}::json) as sent(country text, "storeId" bigint)
      join app_records r on r.store_id = sent."storeId" and r.country = sent.country`,
  )
  const keyOf = ({ country, storeId }: AppOfStorefront) => `${country} ${storeId}`
  const stored = new Set(found.map(keyOf))
  return { has: (app) => stored.has(keyOf(app)) }
}
