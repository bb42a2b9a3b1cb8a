import type { Database } from '../../../storage/database.ts'
import type { RankState } from '../pages/rank-days.ts'
import { newestRanks } from '../pages/rank-queries.ts'
import { rivalsOf } from './tracked-apps.ts'

/** An app on a result page. */
export interface PlacedApp {
  storeId: string
  position: number
}

/** The rivals of a tracked app, with their places on the newest page of each of its keywords. */
export interface Rivals {
  apps: readonly { appId: string; storeId: string }[]
  /** Rivals on the page of a term, unordered. */
  on: (termId: number) => readonly PlacedApp[]
}

export async function rivalsOn(
  db: Database,
  accountId: string,
  tracked: { appId: string; country: string },
  termIds: readonly number[],
): Promise<Rivals> {
  const apps = await rivalsOf(db, accountId, tracked)
  const storeIds = apps.map(({ storeId }) => storeId)
  const found = apps.length === 0 ? [] : await newestRanks(db, storeIds, tracked.country, termIds)
  const placed = new Map<number, PlacedApp[]>()
  for (const { storeId, termId, rank } of found) {
    const known = placed.get(termId) ?? []
    placed.set(termId, known)
    known.push({ storeId, position: rank })
  }
  return { apps, on: (termId) => placed.get(termId) ?? [] }
}

/** Ranks of an app and a rival compared over the same keywords, each on its newest page. */
export interface RivalComparison {
  /** The rival ranks, and the app is below or absent. */
  ahead: number
  /** The app ranks, and the rival is below or absent. */
  behind: number
  neither: number
  notMeasured: number
}

export function compareRanks(pairs: readonly { own: RankState; rival: RankState }[]): RivalComparison {
  const comparison = { ahead: 0, behind: 0, neither: 0, notMeasured: 0 }
  for (const { own, rival } of pairs) comparison[outcomeOf(own, rival)]++
  return comparison
}

function outcomeOf(own: RankState, rival: RankState): keyof RivalComparison {
  if (own.state === 'not-measured' || rival.state === 'not-measured') return 'notMeasured'
  if (own.state === 'absent') return rival.state === 'absent' ? 'neither' : 'ahead'
  return rival.state === 'measured' && rival.value < own.value ? 'ahead' : 'behind'
}

/** Maximum number of apps listed above another for one keyword. */
const mostAbove = 5

/**
 * The apps that rank above an app: rivals first, then from the top of the page, at most five.
 * @param top the first apps of the page in order; null where the entry could not be read
 * @param rivals on the same page, in any order
 * @param rank of the app; undefined when it is not on the page, which puts every app above it
 */
export function appsAbove(
  top: readonly (string | null)[],
  rivals: readonly PlacedApp[],
  rank: number | undefined,
): PlacedApp[] {
  const isAbove = ({ position }: PlacedApp) => rank === undefined || position < rank
  const first = rivals.filter(isAbove).sort((one, other) => one.position - other.position)
  const named = new Set(first.map(({ storeId }) => storeId))
  const others = top.flatMap((storeId, index) =>
    storeId === null || named.has(storeId) ? [] : [{ storeId, position: index + 1 }],
  )
  return [...first, ...others.filter(isAbove)].slice(0, mostAbove)
}
