import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../storage/database.ts'
import { ensureMonths } from '../../storage/months.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { recordSightings, type SightingRow } from '../catalogue/sighting-queries.ts'
import type { Reading } from '../evidence/reading.ts'
import { type Capture, together } from './capture.ts'
import { type ChartReading, chartBound, chartKey, holdsApps } from './chart-reading.ts'
import { entriesOf } from './sightings-in-charts.ts'
import { ensureCharts, replaceSnapshots, type Snapshot, storedSnapshots } from './writes.ts'

/** A capture and the reading it comes from. */
export interface ChartOfReading {
  reading: Pick<Reading, 'readingId' | 'key' | 'source' | 'origin' | 'timeBasis'>
  chart: ChartReading
}

/**
 * Stores captures of charts. Runs inside the caller's transaction, after the sightings of the same readings. Captures of
 * one chart and instant give the same result in any order (`together`); all payloads are kept. A capture without any app is
 * not a snapshot (see `recordSuspectCharts`).
 */
export async function storeCharts(db: Database, entries: readonly ChartOfReading[]): Promise<void> {
  const telling = entries.filter(({ chart }) => holdsApps(chart))
  if (telling.length === 0) return
  await ensureMonths(db, ['chart_months'], telling.map(monthOf))
  const chartIds = await registerCharts(db, telling)
  const read = telling.map(({ reading, chart }) => {
    const chartId = chartIds.get(chartKey(chart))
    if (chartId === undefined) throw new Error(`Chart ${chartKey(chart)} was not registered.`)
    return { reading, chart, chartId, capturedAt: chart.capturedAt }
  })
  const stored = new Map((await storedSnapshots(db, read)).map((one) => [captureKey(one), one]))
  const snapshots: Snapshot[] = []
  const others: SightingRow[] = []
  for (const [key, captures] of Map.groupBy(read, captureKey)) {
    const { snapshot, uncovered } = snapshotOf(captures, stored.get(key))
    if (!isDeepStrictEqual(snapshot, stored.get(key))) snapshots.push(snapshot)
    others.push(...uncovered)
  }
  await replaceSnapshots(db, snapshots)
  await recordSightings(db, 'chart_sightings', others)
}

type Read = ChartOfReading & { chartId: number; capturedAt: Date }

const captureKey = ({ chartId, capturedAt }: { chartId: number; capturedAt: Date }) =>
  `${chartId} ${capturedAt.toISOString()}`

/** The merged snapshot of all captures of one chart and instant, and the sightings it does not express. */
function snapshotOf(
  captures: readonly Read[],
  stored: Snapshot | undefined,
): { snapshot: Snapshot; uncovered: SightingRow[] } {
  const merged = captures
    .map(captureOf)
    .reduce<Capture | undefined>(
      (known, capture) => (known ? together(known, capture, chartBound) : capture),
      stored,
    )
  const [first] = captures
  if (!merged || !first) throw new Error('There is no capture.')
  const charts = captures.map(({ chart }) => chart)
  const { entries, others } = entriesOf(merged.storeIds, charts, stored)
  const { readingId, readingKey, readAs, day, requested, storeIds, inParts, beaten } = merged
  const { chartId, capturedAt } = first
  const read = { readingId, readingKey, readAs }
  const snapshot = { chartId, capturedAt, ...read, day, requested, storeIds, inParts, beaten }
  return { snapshot: { ...snapshot, ...entries }, uncovered: others }
}

const captureOf = ({ reading, chart }: Read): Capture => ({
  readingId: reading.readingId,
  readingKey: reading.key,
  readAs: [reading.source, reading.origin, reading.timeBasis].join(' '),
  day: chart.statedDay ?? storefrontDay(chart.country, chart.capturedAt),
  requested: chart.requested,
  storeIds: chart.storeIds.slice(0, chartBound),
  inParts: chart.inParts ?? false,
  beaten: null,
})

/** The month of a capture, which is the partition of its ranks. */
const monthOf = ({ chart }: ChartOfReading) => chart.capturedAt.toISOString().slice(0, 7)

async function registerCharts(db: Database, entries: readonly ChartOfReading[]): Promise<Map<string, number>> {
  const newest = new Map<string, ChartReading>()
  for (const { chart } of entries) {
    const known = newest.get(chartKey(chart))
    if (!known || chart.capturedAt > known.capturedAt) newest.set(chartKey(chart), chart)
  }
  // The same order everywhere, so that two writers cannot deadlock.
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
  return new Map(stored.map((chart) => [chartKey(chart), chart.chartId]))
}
