import type { Database } from '../../storage/database.ts'
import {
  type ChartRow,
  nearestSnapshotDays,
  type SnapshotRow,
  seenInChartBefore,
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
  previous: SnapshotRow | undefined
  /** Best rank first. */
  entries: ChartEntry[]
}

/** A date without a snapshot, with the nearest dates that have one. */
export interface NoSnapshot {
  nearest: { before: string | null; after: string | null }
}

/** The newest snapshot of a chart, or the last one of a storefront date, compared with the snapshot before. */
export async function chartSnapshot(
  db: Database,
  chart: ChartRow,
  date: string | undefined,
): Promise<Snapshot | NoSnapshot> {
  const [snapshot, previous] = await snapshotWithPrevious(db, chart.chartId, date)
  if (!snapshot)
    return {
      nearest: date ? await nearestSnapshotDays(db, chart.chartId, date) : { before: null, after: null },
    }
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
