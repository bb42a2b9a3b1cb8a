import type { Database } from '../../storage/database.ts'
import {
  type ChartRow,
  nearestSnapshotDays,
  type SnapshotRow,
  seenInChartBefore,
  snapshotUntil,
  snapshotWithPrevious,
} from './queries.ts'

type EntryState = 'same' | 'up' | 'down' | 'new' | 'returning' | 'unknown'

export interface ChartEntry {
  rank: number
  storeId: string
  /** Rank in the previous snapshot; null when there is none, or it did not show the app. */
  previousRank: number | null
  entry: EntryState
}

export interface Snapshot {
  snapshot: SnapshotRow
  /** The snapshot that ranks are compared with. */
  previous: SnapshotRow | undefined
  /** Best rank first. */
  entries: ChartEntry[]
}

/** A date without a snapshot, with the nearest dates that have one. */
export interface NoSnapshot {
  nearest: { before: string | null; after: string | null }
}

/**
 * The newest snapshot of a chart, or the last one of a storefront date, compared with the last one at or before `comparedWith`,
 * a storefront date, an instant or so many days before (`30d`), or with the snapshot before.
 */
export async function chartSnapshot(
  db: Database,
  chart: ChartRow,
  date: string | undefined,
  comparedWith?: string,
): Promise<Snapshot | NoSnapshot> {
  const [snapshot, directlyBefore] = await snapshotWithPrevious(db, chart.chartId, date)
  if (!snapshot)
    return {
      nearest: date ? await nearestSnapshotDays(db, chart.chartId, date) : { before: null, after: null },
    }
  const previous =
    comparedWith === undefined
      ? directlyBefore
      : await snapshotUntil(db, chart.chartId, earlierThan(snapshot.day, comparedWith), snapshot.capturedAt)
  const places = new Map(previous?.storeIds.map((id, index) => [id, index + 1]))
  const fresh = snapshot.storeIds.filter((id) => id !== null && !places.has(id)) as string[]
  const seen = previous
    ? await seenInChartBefore(db, chart.chartId, fresh, previous.capturedAt)
    : new Set<string>()
  const entries = snapshot.storeIds.flatMap((storeId, index) => {
    if (storeId === null) return []
    const previousRank = places.get(storeId) ?? null
    return [
      {
        rank: index + 1,
        storeId,
        previousRank,
        entry: entryState(index + 1, previousRank, previous, seen.has(storeId)),
      },
    ]
  })
  return { snapshot, previous, entries }
}

/** The date so many days before a date; a date or an instant as it is. */
function earlierThan(day: string, time: string): string {
  const days = /^(\d+)d$/.exec(time)?.[1]
  if (days === undefined) return time
  return new Date(Date.parse(day) - Number(days) * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Apps of the snapshot compared with that are not in this one, best rank first. */
export function leaversOf({ snapshot, previous }: Snapshot): { storeId: string; previousRank: number }[] {
  const present = new Set(snapshot.storeIds)
  return (previous?.storeIds ?? []).flatMap((storeId, index) =>
    storeId === null || present.has(storeId) ? [] : [{ storeId, previousRank: index + 1 }],
  )
}

/**
 * Most places climbed first. Who was not in the snapshot before climbed at least from the place below its last one; nothing is
 * known of who stands deeper than it went: last, by rank.
 */
export function byGain({ entries, previous }: Snapshot): ChartEntry[] {
  const below = (previous?.returned ?? 0) + 1
  const gain = ({ rank, previousRank }: ChartEntry) =>
    previousRank === null && rank >= below ? Number.NEGATIVE_INFINITY : (previousRank ?? below) - rank
  return entries.toSorted((one, other) => gain(other) - gain(one) || one.rank - other.rank)
}

function entryState(
  rank: number,
  previousRank: number | null,
  previous: SnapshotRow | undefined,
  seen: boolean,
): EntryState {
  if (!previous) return 'unknown'
  if (previousRank === null) return seen ? 'returning' : 'new'
  if (previousRank === rank) return 'same'
  return previousRank > rank ? 'up' : 'down'
}
