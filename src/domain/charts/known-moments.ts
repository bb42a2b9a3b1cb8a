import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { type KnownMoments, momentKey, type Statement } from '../evidence/known-moments.ts'
import type { ChartReading } from './chart-reading.ts'

/** The statements of a capture: one for each place that could be parsed. */
export function placeStatements(chart: ChartReading): Statement[] {
  const key = momentKey(chartName(chart), chart.capturedAt)
  return chart.storeIds.flatMap((storeId, index) =>
    storeId === null ? [] : [{ key, fields: { [index + 1]: storeId } }],
  )
}

/** The stored places of these charts at these instants. */
export async function chartMoments(db: Database, charts: readonly ChartReading[]): Promise<KnownMoments> {
  if (charts.length === 0) return new Map()
  const asked = charts.map(({ country, kind, categoryId, device, capturedAt }) => ({
    country,
    kind,
    categoryId,
    device,
    capturedAt,
  }))
  const found = await rows(
    db,
    sql<ChartIdentity & { capturedAt: Date; storeIds: (string | null)[] }>`
      select c.country, c.kind, c.category_id as "categoryId", c.device, s.captured_at as "capturedAt",
        to_json(s.store_ids::text[]) as "storeIds"
      from json_to_recordset(${JSON.stringify(asked)}::json) as asked(country text, kind text, "categoryId" integer,
        device text, "capturedAt" timestamptz)
      join charts c on c.country = asked.country and c.kind = asked.kind and c.category_id = asked."categoryId"
        and c.device = asked.device
      join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = asked."capturedAt"`,
  )
  return new Map(
    found.map(({ capturedAt, storeIds, ...chart }) => [
      momentKey(chartName(chart), capturedAt),
      Object.fromEntries(
        storeIds.flatMap((storeId, index) => (storeId === null ? [] : [[index + 1, storeId]])),
      ),
    ]),
  )
}
