import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'

/** Sources that show a whole listing; charts and pages of other apps have little more than a name. */
export const wholeListings = ['itunes-lookup', 'itunes-search', 'catalogue-file']

/** Whether a record has evidence of a whole listing. */
export const isWholeListing = (record: ReturnType<typeof sql>) => sql`
${record}.evidence @> any(${wholeListings.map((source) => JSON.stringify([{ source }]))}::jsonb[])`

/** Whether a whole listing of the app in the storefront is stored. */
export async function catalogued(db: Database, storeId: string, country: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select from app_records r
      where r.store_id = ${bigintId(storeId)} and r.country = ${country} and ${isWholeListing(sql`r`)}`,
  )
  return found !== undefined
}

/** The bundle ids in the records of an app, in lower case. */
export async function bundlesOfApp(db: Database, storeId: string): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ bundleId: string }>`
      select distinct lower(bundle_id) as "bundleId" from app_records
      where store_id = ${bigintId(storeId)} and bundle_id is not null order by 1`,
  )
  return found.map(({ bundleId }) => bundleId)
}

/** The app of a bundle id, from the record of any storefront; null where there is none. */
export async function storeIdOfBundle(db: Database, bundleId: string): Promise<string | null> {
  const found = await firstRow(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from app_records
      where lower(bundle_id) = ${bundleId.toLowerCase()} order by store_id limit 1`,
  )
  return found?.storeId ?? null
}
