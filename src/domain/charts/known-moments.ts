import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { type KnownMoments, momentKey, type Statement } from '../evidence/known-moments.ts'
import { type ChartReading, chartBound, type ToldRanks } from './chart-reading.ts'
import { type ChartInstant, storedLists } from './told-queries.ts'
import { storedSnapshots } from './writes.ts'

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

/** The statements of a list with gaps: one for each app. */
export function toldStatements(told: ChartInstant & Pick<ToldRanks, 'ranks'>): Statement[] {
  const key = momentKey(chartName(told), told.capturedAt)
  return told.ranks.map(({ storeId, rank, depth }) => ({
    key,
    fields: { [storeId]: rank ?? `not in ${depth}` },
  }))
}

/** What is stored of these apps' charts at these instants, and the charts that are whole: their ranks are all that counts. */
export async function toldMoments(
  db: Database,
  instants: readonly ChartInstant[],
): Promise<{ known: KnownMoments; whole: ReadonlySet<string> }> {
  const known: KnownMoments = new Map()
  const whole = new Set<string>()
  if (instants.length === 0) return { known, whole }
  const add = (key: string, fields: Record<string, unknown>) => known.set(key, { ...known.get(key), ...fields })
  for (const list of await storedLists(db, instants))
    for (const { key, fields } of toldStatements(list)) add(key, fields)
  for (const { storeIds, inParts, ...instant } of await storedSnapshots(db, instants)) {
    const key = momentKey(chartName(instant), instant.capturedAt)
    if (!inParts || storeIds.length >= chartBound) whole.add(key)
    add(
      key,
      Object.fromEntries(
        storeIds.flatMap((storeId, index) => (storeId === null ? [] : [[storeId, index + 1]])),
      ),
    )
  }
  return { known, whole }
}
