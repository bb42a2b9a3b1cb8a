import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'

/** A chart and the id its snapshots refer to. */
export type ChartToScan = ChartIdentity & { chartId: number }

/** All charts, by storefront, category, kind and device. */
export function chartsToScan(db: Database): Promise<ChartToScan[]> {
  return rows(
    db,
    sql<ChartToScan>`
      select chart_id as "chartId", country, kind, category_id as "categoryId", device from charts
      order by country, category_id, kind, device`,
  )
}

/** A snapshot as it is exported. */
export interface ScannedSnapshot {
  capturedAt: Date
  /** Storefront date. */
  day: string
  requested: number | null
  storeIds: (string | null)[]
}

/** The snapshots of a chart after a moment, oldest first. */
export function snapshotsAfter(
  db: Database,
  chartId: number,
  after: Date | undefined,
  limit: number,
): Promise<ScannedSnapshot[]> {
  return rows(
    db,
    sql<ScannedSnapshot>`
      select captured_at as "capturedAt", day::text as day, requested, to_json(store_ids::text[]) as "storeIds"
      from chart_snapshots
      where chart_id = ${chartId} and captured_at > coalesce(${after ?? null}::timestamptz, '-infinity')
      order by captured_at limit ${limit}`,
  )
}
