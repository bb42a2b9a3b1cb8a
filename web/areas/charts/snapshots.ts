import type { AppLabel, Rank } from '../../evidence/shapes.ts'
import type { CsvValue } from '../../ui/csv.ts'
import type { Entry, Snapshot } from './chart-search.ts'
import type { EntryFilter } from './views.ts'

type Places = Pick<Snapshot, 'items'>

/** The move of an app between two snapshots of a chart. */
export interface SnapshotMove {
  app: AppLabel
  before: Rank
  after: Rank
  /** Places climbed, negative when fallen; null unless both snapshots show the app. */
  change: number | null
  /** `unclear`: one of the snapshots was not read deep enough to tell whether the app was there. */
  kind: 'climbed' | 'fell' | 'same' | 'entered' | 'left' | 'unclear'
}

/**
 * Who moved, entered and left between two snapshots of one chart: those of the later one best rank first, then those that are
 * gone. Places beyond what Apple returned are unknown: an app is called new or gone only where both were read that deep.
 */
export function compareSnapshots(before: Places, after: Places): SnapshotMove[] {
  const depth = { before: before.items.length, after: after.items.length }
  const then = new Map(before.items.map(({ app, rank }) => [app.storeId, rank]))
  const now = new Set(after.items.map(({ app }) => app.storeId))
  const present = after.items.map(({ app, rank }): SnapshotMove => {
    const was = then.get(app.storeId)
    const change = was === undefined ? null : was - rank
    return {
      app,
      before: rankOf(was, depth.before),
      after: rankOf(rank, depth.after),
      change,
      kind: change === null ? (rank <= depth.before ? 'entered' : 'unclear') : directionOf(change),
    }
  })
  const gone = before.items
    .filter(({ app }) => !now.has(app.storeId))
    .map(
      ({ app, rank }): SnapshotMove => ({
        app,
        before: rankOf(rank, depth.before),
        after: rankOf(undefined, depth.after),
        change: null,
        kind: rank <= depth.after ? 'left' : 'unclear',
      }),
    )
  return [...present, ...gone]
}

const rankOf = (rank: number | undefined, depth: number): Rank =>
  rank === undefined ? { state: 'absent', depth } : { state: 'measured', value: rank, depth }

const directionOf = (change: number): 'climbed' | 'fell' | 'same' =>
  change > 0 ? 'climbed' : change < 0 ? 'fell' : 'same'

/** A rank as a file holds it: a number, or why there is none. */
export const rankInFile = (rank: Rank): CsvValue =>
  rank.state === 'measured'
    ? rank.value
    : rank.state === 'absent'
      ? `not in top ${rank.depth}`
      : 'not collected'

/** Maximum number of apps in the filter of the biggest moves. */
export const biggestMoveCount = 25

/** The entries of a quick filter, in its order. */
export function entriesShown(
  entries: readonly Entry[],
  show: EntryFilter | undefined,
  isTracked: (storeId: string) => boolean,
): Entry[] {
  switch (show) {
    case undefined:
      return [...entries]
    case 'new':
    case 'returning':
      return entries.filter(({ entry }) => entry === show)
    case 'tracked':
      return entries.filter(({ app }) => isTracked(app.storeId))
    case 'moves':
      return entries
        .filter(({ change }) => change !== null && change !== 0)
        .sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0) || a.rank - b.rank)
        .slice(0, biggestMoveCount)
  }
}
