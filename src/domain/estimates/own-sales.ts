import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** Downloads and revenue of an operator's own app on one day in one storefront. Unreported figures are null, never zero. */
export interface SalesDay {
  storeId: string
  country: string
  /** `YYYY-MM-DD`, in the report's days. */
  day: string
  downloads: number | null
  /** Customer payments less refunds. */
  revenue: number | null
  currency: string | null
}

/**
 * Stores own figures. Later ones replace earlier ones; a figure that a later file does not report stays. Runs inside the
 * caller's transaction.
 */
export async function storeSales(
  db: Database,
  reported: readonly { readingId: string; sales: readonly SalesDay[] }[],
): Promise<void> {
  for (const { readingId, sales } of reported) {
    if (sales.length === 0) continue
    await sql`
      insert into own_sales (store_id, country, day, downloads, revenue, currency, reading_id)
      select "storeId", country, day, downloads, revenue, currency, ${readingId}::uuid
      from json_to_recordset(${JSON.stringify(sales)}::json) as sent("storeId" bigint, country text, day date,
        downloads bigint, revenue numeric, currency text)
      order by "storeId", country, day
      on conflict (store_id, country, day) do update
        set downloads = coalesce(excluded.downloads, own_sales.downloads),
          revenue = coalesce(excluded.revenue, own_sales.revenue),
          currency = case when excluded.revenue is null then own_sales.currency else excluded.currency end,
          reading_id = excluded.reading_id`.execute(db)
  }
}

/** Own figures of one app in one storefront, oldest first. */
export interface OwnApp {
  storeId: string
  /** Apple's id of the developer; null where no listing of the app is stored. */
  developerId: string | null
  country: string
  days: Pick<SalesDay, 'day' | 'downloads' | 'revenue' | 'currency'>[]
}

export async function ownApps(db: Database): Promise<OwnApp[]> {
  const apps = await rows(
    db,
    sql<Omit<OwnApp, 'developerId'>>`
      select store_id::text as "storeId", country, json_agg(json_build_object('day', day::text, 'downloads', downloads,
        'revenue', revenue, 'currency', currency) order by day) as days
      from own_sales
      group by store_id, country
      order by own_sales.country, own_sales.store_id`,
  )
  const makers = await rows(
    db,
    sql<{ storeId: string; developerId: string }>`
      select store_id::text as "storeId", max(developer_id)::text as "developerId" from app_records
      where store_id = any(${apps.map(({ storeId }) => storeId)}::bigint[]) and developer_id is not null
      group by store_id`,
  )
  const makerOf = new Map(makers.map(({ storeId, developerId }) => [storeId, developerId]))
  return apps.map((app) => ({ ...app, developerId: makerOf.get(app.storeId) ?? null }))
}
