import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../storage/database.ts'
import { ensureMonths } from '../../storage/months.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { recordSightings, type SightingRow } from '../catalogue/listing-history.ts'
import { chartSubject, reassessEmptyAnswers, recordEmptyAnswers } from '../collecting/suspects.ts'
import type { Reading } from '../evidence/reading.ts'
import {
  type ChartCapture,
  type ChartReading,
  chartKey,
  hasKnownApps,
  joinRankLists,
  maxChartPlaces,
  mergeCaptures,
  type RanksOfList,
} from './capture.ts'
import { snapshotRangesOf } from './queries.ts'
import {
  type ChartInstant,
  insertRankLists,
  removeRankLists,
  type StoredRankList,
  storedRankLists,
} from './rank-list-queries.ts'
import {
  encodeSightings,
  ensureCharts,
  lockCharts,
  replaceSnapshots,
  type SnapshotOfChart,
  storedSnapshots,
} from './writes.ts'

/** A capture and the reading it comes from. */
export interface ChartOfReading {
  reading: Pick<Reading, 'readingId' | 'key' | 'source' | 'origin' | 'timeBasis'>
  chart: ChartReading
}

/** A list with gaps and the reading it comes from. */
export interface ListRanksOfReading {
  reading: ChartOfReading['reading']
  told: RanksOfList
}

/**
 * Stores captures of charts, and ranks from lists with gaps beside them. Runs inside the caller's transaction, after the
 * sightings of the same readings. Captures and lists of one chart and instant give the same result in any order (`mergeCaptures`,
 * `joinRankLists`); all payloads are kept. A capture without any app is not a snapshot (see `recordSuspectCharts`).
 */
export async function storeCharts(
  db: Database,
  entries: readonly ChartOfReading[],
  listRanks: readonly ListRanksOfReading[],
): Promise<void> {
  const withApps = entries.filter(({ chart }) => hasKnownApps(chart))
  const given = listRanks.filter(({ told }) => told.ranks.length > 0)
  if (withApps.length === 0 && given.length === 0) return
  await lockCharts(db)
  const captures = Map.groupBy(withApps, ({ chart }) => instantKey(chart))
  const lists = Map.groupBy(given.map(listOf), instantKey)
  const instants = new Map<string, ChartInstant>(
    [...withApps.map(({ chart }) => chart), ...given.map(({ told }) => told)].map((one) => [
      instantKey(one),
      one,
    ]),
  )
  const [snapshots, listsThere] = await Promise.all([
    storedSnapshots(db, [...instants.values()]),
    storedRankLists(db, [...instants.values()]),
  ])
  const stored = new Map(snapshots.map((one) => [instantKey(one), one]))
  const apart = Map.groupBy(listsThere, instantKey)
  const changed: SnapshotOfChart[] = []
  const others: SightingRow[] = []
  const gone: StoredRankList[] = []
  const added: StoredRankList[] = []
  for (const [key, instant] of instants) {
    const before = apart.get(key) ?? []
    const known = distinctLists([...before, ...(lists.get(key) ?? [])])
    const result = resultOf(instant, captures.get(key) ?? [], stored.get(key), known)
    if (result.snapshot && !isDeepStrictEqual(result.snapshot, stored.get(key))) changed.push(result.snapshot)
    others.push(...result.uncovered)
    const left = new Set(result.lists)
    gone.push(...before.filter((list) => !left.has(list)))
    added.push(...result.lists.filter((list) => !before.includes(list)))
  }
  await removeRankLists(db, gone)
  await insertRankLists(db, added)
  await ensureMonths(db, ['chart_months'], changed.map(monthOf))
  await replaceSnapshots(db, await registered(db, changed))
  await recordSightings(db, 'chart_sightings', others)
}

const instantKey = (instant: ChartInstant) => `${chartKey(instant)} ${instant.capturedAt.toISOString()}`

const readBy = ({ readingId, key, source, origin, timeBasis }: ChartOfReading['reading']) => ({
  readingId,
  readingKey: key,
  readAs: [source, origin, timeBasis].join(' '),
})

const dayOf = ({ country, capturedAt, statedDay }: Pick<RanksOfList, 'country' | 'capturedAt' | 'statedDay'>) =>
  statedDay ?? storefrontDay(country, capturedAt)

const identityOf = ({ country, kind, categoryId, device, capturedAt }: ChartInstant): ChartInstant => ({
  country,
  kind,
  categoryId,
  device,
  capturedAt,
})

const listOf = ({ reading, told }: ListRanksOfReading): StoredRankList => ({
  ...identityOf(told),
  ...readBy(reading),
  day: dayOf(told),
  mayJoin: told.mayJoin,
  ranks: told.ranks,
})

/** Each list once: the same reading can be imported again under another id. */
const distinctLists = (lists: readonly StoredRankList[]): StoredRankList[] => {
  const byKey = new Map<string, StoredRankList>()
  for (const list of lists) if (!byKey.has(list.readingKey)) byKey.set(list.readingKey, list)
  return [...byKey.values()]
}

/** The merged snapshot of one chart and instant, the sightings it does not express, and the lists kept separately. */
function resultOf(
  instant: ChartInstant,
  captures: readonly ChartOfReading[],
  stored: SnapshotOfChart | undefined,
  lists: StoredRankList[],
): { snapshot: SnapshotOfChart | undefined; uncovered: SightingRow[]; lists: StoredRankList[] } {
  const whole = captures
    .map(captureOf)
    .reduce<ChartCapture | undefined>(
      (known, capture) => (known ? mergeCaptures(known, capture, maxChartPlaces) : capture),
      stored,
    )
  const { capture, lists: left } = joinRankLists(whole, lists, maxChartPlaces)
  if (!capture) return { snapshot: undefined, uncovered: [], lists: left }
  const { entries, others } = encodeSightings(
    instant,
    capture.storeIds,
    captures.map(({ chart }) => chart),
    stored,
  )
  const { readingId, readingKey, readAs, day, requested, storeIds, inParts, beaten } = capture
  const read = { readingId, readingKey, readAs, day, requested, storeIds, inParts, beaten }
  return {
    snapshot: { ...identityOf(instant), ...read, ...entries },
    uncovered: others,
    lists: left,
  }
}

const captureOf = ({ reading, chart }: ChartOfReading): ChartCapture => ({
  ...readBy(reading),
  day: dayOf(chart),
  requested: chart.requested,
  storeIds: chart.storeIds.slice(0, maxChartPlaces),
  inParts: chart.inParts ?? false,
  beaten: null,
})

/** The month of a capture, which is the partition of its ranks. */
const monthOf = ({ capturedAt }: ChartInstant) => capturedAt.toISOString().slice(0, 7)

/** Snapshots with the ids of their charts, which are registered where they are new. */
async function registered(db: Database, snapshots: readonly SnapshotOfChart[]) {
  if (snapshots.length === 0) return []
  const newest = new Map<string, ChartInstant>()
  for (const chart of snapshots) {
    const known = newest.get(chartKey(chart))
    if (!known || chart.capturedAt > known.capturedAt) newest.set(chartKey(chart), chart)
  }
  const stored = await ensureCharts(
    db,
    [...newest.values()].map((chart) => ({ ...identityOf(chart), newest: chart.capturedAt })),
  )
  const ids = new Map(stored.map((chart) => [chartKey(chart), chart.chartId]))
  return snapshots.map((snapshot) => {
    const chartId = ids.get(chartKey(snapshot))
    if (chartId === undefined) throw new Error(`Chart ${chartKey(snapshot)} was not registered.`)
    return { ...snapshot, chartId }
  })
}

/**
 * Records captures without any app. Such a capture of a chart that had apps before is suspect; a chart never seen with apps
 * may really be empty. Runs after the captures of the same readings are stored.
 */
export async function recordSuspectCharts(db: Database, entries: readonly ChartOfReading[]): Promise<void> {
  const empty = entries.filter(({ chart }) => !hasKnownApps(chart))
  if (empty.length > 0) await recordEmptyCharts(db, empty)
  const withApps = entries.filter(({ chart }) => hasKnownApps(chart))
  if (withApps.length === 0) return
  await reassessEmptyAnswers(
    db,
    withApps.map(({ chart }) => ({
      country: chart.country,
      subject: chartSubject(chart),
      observedAt: chart.capturedAt,
    })),
  )
}

async function recordEmptyCharts(db: Database, empty: readonly ChartOfReading[]): Promise<void> {
  const known = await snapshotRangesOf(
    db,
    empty.map(({ chart }) => chart),
  )
  await recordEmptyAnswers(
    db,
    empty.map(({ reading: { readingId, source }, chart }) => {
      const { country, capturedAt, statedDay } = chart
      const captures = known.get(chartKey(chart))
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
