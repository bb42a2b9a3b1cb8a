import type { Database } from '../../storage/database.ts'
import { chartSubject, clearSuspicions, suspectAnswers } from '../collecting/suspects.ts'
import type { SourceName } from '../evidence/reading.ts'
import { type ChartReading, chartBound } from './chart-reading.ts'
import { knownCharts } from './queries.ts'
import { storefrontDay } from './storefront-day.ts'
import {
  ensureCharts,
  makeRankMonth,
  type NewSnapshot,
  rankMonths,
  replaceSnapshots,
  storedPlaces,
} from './writes.ts'

/** A capture and the reading it comes from. */
export interface ChartHarvest {
  readingId: string
  source: SourceName
  chart: ChartReading
}

/**
 * Stores captures of charts. Runs inside the caller's transaction. Of two captures of one chart with the same instant
 * the later stored one stays, but parts of one capture are put together; all payloads are kept. A capture without a
 * single app is no snapshot; where the chart had apps before, it is suspect.
 */
export async function storeCharts(db: Database, harvests: readonly ChartHarvest[]): Promise<void> {
  const holdsApps = ({ chart }: ChartHarvest) => chart.storeIds.some((id) => id !== null)
  const telling = harvests.filter(holdsApps)
  if (telling.length > 0) await storeTelling(db, telling)
  const empty = harvests.filter((harvest) => !holdsApps(harvest))
  if (empty.length > 0) await suspectEmpty(db, empty)
}

/** A chart nobody ever saw with apps in it may well be empty. */
async function suspectEmpty(db: Database, empty: readonly ChartHarvest[]): Promise<void> {
  const known = await knownCharts(
    db,
    empty.map(({ chart }) => chart),
  )
  await suspectAnswers(
    db,
    empty.flatMap(({ readingId, source, chart }) => {
      const { country, capturedAt, statedDay } = chart
      const captures = known.get(keyOf(chart))
      if (!captures || captures.oldest >= capturedAt) return []
      return [
        {
          source,
          country,
          subject: chartSubject(chart),
          observedAt: capturedAt,
          day: statedDay ?? storefrontDay(country, capturedAt),
          readingId,
          // Answers are not always stored in the order in which they came, in a replay least of all.
          cleared: captures.newest > capturedAt,
        },
      ]
    }),
  )
}

async function storeTelling(db: Database, telling: readonly ChartHarvest[]): Promise<void> {
  await ensureMonths(db, telling)
  const chartIds = await registerCharts(db, telling)
  const read = telling.map(({ readingId, chart }) => {
    const chartId = chartIds.get(keyOf(chart))
    if (chartId === undefined) throw new Error(`Chart ${keyOf(chart)} was not registered.`)
    return { readingId, chart, chartId, capturedAt: chart.capturedAt }
  })
  const parts = read.filter(({ chart }) => chart.inParts)
  const stored = parts.length === 0 ? [] : await storedPlaces(db, parts)
  const places = new Map(stored.map((snapshot) => [captureKey(snapshot), snapshot.storeIds]))
  const snapshots = new Map<string, NewSnapshot>()
  for (const { readingId, chart, chartId, capturedAt } of read) {
    const key = captureKey({ chartId, capturedAt })
    const before = chart.inParts ? (places.get(key) ?? []) : []
    const storeIds = together(before, chart.storeIds).slice(0, chartBound)
    places.set(key, storeIds)
    snapshots.set(key, {
      chartId,
      capturedAt,
      day: chart.statedDay ?? storefrontDay(chart.country, capturedAt),
      returned: storeIds.filter((id) => id !== null).length,
      requested: chart.requested,
      storeIds,
      readingId,
    })
  }
  await replaceSnapshots(db, [...snapshots.values()])
  await clearSuspicions(
    db,
    telling.map(({ chart }) => ({
      country: chart.country,
      subject: chartSubject(chart),
      observedAt: chart.capturedAt,
    })),
  )
}

const captureKey = ({ chartId, capturedAt }: { chartId: number; capturedAt: Date }) =>
  `${chartId} ${capturedAt.toISOString()}`

/** Places of one capture: those of the later part count, and an app that it moved leaves its earlier place. */
function together(before: NewSnapshot['storeIds'], added: NewSnapshot['storeIds']): NewSnapshot['storeIds'] {
  const placed = new Set(added)
  return Array.from({ length: Math.max(before.length, added.length) }, (_, place) => {
    const earlier = before[place] ?? null
    return added[place] ?? (placed.has(earlier) ? null : earlier)
  })
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
