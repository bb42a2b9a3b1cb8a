import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../storage/database.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { noteSightings, type SightingRow } from '../catalogue/sighting-queries.ts'
import { chartSubject, noteEmpty, weighEmpty } from '../collecting/suspects.ts'
import type { Reading } from '../evidence/reading.ts'
import { type Capture, together } from './capture.ts'
import { type ChartReading, chartBound } from './chart-reading.ts'
import { knownCharts } from './queries.ts'
import { entriesOf } from './sightings-in-charts.ts'
import {
  ensureCharts,
  makeRankMonth,
  rankMonths,
  replaceSnapshots,
  type Snapshot,
  storedSnapshots,
} from './writes.ts'

/** A capture and the reading it comes from. */
export interface ChartHarvest {
  reading: Pick<Reading, 'readingId' | 'key' | 'source'>
  chart: ChartReading
}

/**
 * Stores captures of charts. Runs inside the caller's transaction, after the sightings of the same readings. Captures of
 * one chart and instant come to the same in any order (`together`); all payloads are kept. A capture without a single app is
 * no snapshot; where the chart had apps before, it is suspect.
 */
export async function storeCharts(db: Database, harvests: readonly ChartHarvest[]): Promise<void> {
  const holdsApps = ({ chart }: ChartHarvest) => chart.storeIds.some((id) => id !== null)
  const telling = harvests.filter(holdsApps)
  if (telling.length > 0) await storeTelling(db, telling)
  const empty = harvests.filter((harvest) => !holdsApps(harvest))
  if (empty.length > 0) await storeEmpty(db, empty)
}

/** A chart nobody ever saw with apps in it may well be empty. */
async function storeEmpty(db: Database, empty: readonly ChartHarvest[]): Promise<void> {
  const known = await knownCharts(
    db,
    empty.map(({ chart }) => chart),
  )
  await noteEmpty(
    db,
    empty.map(({ reading: { readingId, source }, chart }) => {
      const { country, capturedAt, statedDay } = chart
      const captures = known.get(keyOf(chart))
      return {
        source,
        country,
        subject: chartSubject(chart),
        observedAt: capturedAt,
        day: statedDay ?? storefrontDay(country, capturedAt),
        readingId,
        suspect: captures !== undefined && captures.oldest < capturedAt,
        cleared: captures !== undefined && captures.newest >= capturedAt,
      }
    }),
  )
}

async function storeTelling(db: Database, telling: readonly ChartHarvest[]): Promise<void> {
  await ensureMonths(db, telling)
  const chartIds = await registerCharts(db, telling)
  const read = telling.map(({ reading, chart }) => {
    const chartId = chartIds.get(keyOf(chart))
    if (chartId === undefined) throw new Error(`Chart ${keyOf(chart)} was not registered.`)
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
  await noteSightings(db, 'chart_sightings', others)
  await weighEmpty(
    db,
    telling.map(({ chart }) => ({
      country: chart.country,
      subject: chartSubject(chart),
      observedAt: chart.capturedAt,
    })),
  )
}

type Read = ChartHarvest & { chartId: number; capturedAt: Date }

const captureKey = ({ chartId, capturedAt }: { chartId: number; capturedAt: Date }) =>
  `${chartId} ${capturedAt.toISOString()}`

/** The snapshot that captures of one chart and instant come to, and the sightings in them that it does not tell. */
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
  const { readingId, readingKey, day, requested, storeIds, inParts, beaten } = merged
  const { chartId, capturedAt } = first
  const snapshot = { chartId, capturedAt, readingId, readingKey, day, requested, storeIds, inParts, beaten }
  return { snapshot: { ...snapshot, ...entries }, uncovered: others }
}

const captureOf = ({ reading, chart }: Read): Capture => ({
  readingId: reading.readingId,
  readingKey: reading.key,
  day: chart.statedDay ?? storefrontDay(chart.country, chart.capturedAt),
  requested: chart.requested,
  storeIds: chart.storeIds.slice(0, chartBound),
  inParts: chart.inParts ?? false,
  beaten: null,
})

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
