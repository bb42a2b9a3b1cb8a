import type { Database } from '../../storage/database.ts'
import { type ChartReading, chartBound } from './chart-reading.ts'
import { ensureCharts, makeRankMonth, type NewSnapshot, rankMonths, replaceSnapshots } from './queries.ts'
import { storefrontDay } from './storefront-day.ts'

/** A capture and the reading it comes from. */
export interface ChartHarvest {
  readingId: string
  chart: ChartReading
}

/**
 * Stores captures of charts. Runs inside the caller's transaction. Of two captures of one chart with the same instant
 * the later stored one stays; both payloads are kept.
 */
export async function storeCharts(db: Database, harvests: readonly ChartHarvest[]): Promise<void> {
  if (harvests.length === 0) return
  await ensureMonths(db, harvests)
  const chartIds = await registerCharts(db, harvests)
  const snapshots = new Map<string, NewSnapshot>()
  for (const { readingId, chart } of harvests) {
    const chartId = chartIds.get(keyOf(chart))
    if (chartId === undefined) throw new Error(`Chart ${keyOf(chart)} was not registered.`)
    const storeIds = chart.storeIds.slice(0, chartBound)
    snapshots.set(`${chartId} ${chart.capturedAt.toISOString()}`, {
      chartId,
      capturedAt: chart.capturedAt,
      day: chart.statedDay ?? storefrontDay(chart.country, chart.capturedAt),
      returned: storeIds.filter((id) => id !== null).length,
      requested: chart.requested,
      storeIds,
      readingId,
    })
  }
  await replaceSnapshots(db, [...snapshots.values()])
}

async function ensureMonths(db: Database, harvests: readonly ChartHarvest[]): Promise<void> {
  const wanted = new Set(harvests.map(({ chart }) => chart.capturedAt.toISOString().slice(0, 7)))
  const made = await rankMonths(db)
  for (const month of [...wanted].filter((month) => !made.has(month)).sort()) await makeRankMonth(db, month)
}

async function registerCharts(db: Database, harvests: readonly ChartHarvest[]): Promise<Map<string, number>> {
  const newest = new Map<string, ChartReading>()
  for (const { chart } of harvests) {
    const known = newest.get(keyOf(chart))
    if (!known || chart.capturedAt > known.capturedAt) newest.set(keyOf(chart), chart)
  }
  // In one order everywhere, so that two writers never wait for each other in a circle.
  const identities = [...newest]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { country, kind, categoryId, device, capturedAt }]) => ({
      country,
      kind,
      categoryId,
      device,
      newest: capturedAt,
    }))
  const stored = await ensureCharts(db, identities)
  return new Map(stored.map((chart) => [keyOf(chart), chart.chartId]))
}

function keyOf(chart: Pick<ChartReading, 'country' | 'kind' | 'categoryId' | 'device'>): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}
