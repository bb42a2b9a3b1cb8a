import type { Database } from '../../storage/database.ts'
import type { EmergingKind } from '../../vocabulary/emerging.ts'
import type { ReadingAtInstant } from './candidate-queries.ts'
import { type ChartMoves, chartMovesIn, type DiscoveryParameters, readChartWindows } from './chart-windows.ts'
import { type RatingGrowth, ratingGrowth, releaseDatesOf, youngApps } from './queries.ts'
import {
  appAgeFactor,
  combineSignals,
  type EmergingSignal,
  entrySignal,
  growthSignal,
  moveUpSignal,
  type ScoredSignals,
  youngAppDays,
  youngSignal,
} from './score.ts'
import { dayAfter, requiredDaysBefore } from './watched-charts.ts'

export interface EmergingApp extends ScoredSignals {
  storeId: string
  /** Null when the evidence is ratings alone, which charts cannot validate. */
  kind: EmergingKind | null
  /** The first sighting in the charts of the search, milliseconds since 1970; null for an app in none. */
  firstCharted: number | null
  /** Unordered. */
  evidence: ReadingAtInstant[]
}

/** Days of the storefront, `YYYY-MM-DD`, both included. */
export interface Period {
  from: string
  to: string
}

export interface Emerging {
  /** The window, which ends with the newest capture; null without one. */
  period: Period | null
  /** Number of apps examined. */
  examined: number
  /** Those with a kind first, then strongest first, then by id. */
  apps: EmergingApp[]
  /** Number of charts read, and of those with captures before the window, in which entries can be recognised. */
  charts: number
  watched: number
}

/** Minimum score of a listed app. */
const leastScore = 1
/** Maximum young apps read in addition to those of the charts, most rated first. */
const youngAppsRead = 1_000

/** Emerging apps from stored charts and ratings. Seven reads, whatever the number of charts. */
export async function emergingApps(
  db: Database,
  search: DiscoveryParameters,
  signal: AbortSignal,
): Promise<Emerging> {
  const charts = await readChartWindows(db, search)
  if (!charts) return { period: null, examined: 0, apps: [], charts: 0, watched: 0 }
  signal.throwIfAborted()
  const moves = await chartMovesIn(db, charts.windows)
  const moving = [...moves].flatMap(([storeId, { entries, movesUp }]) =>
    entries.length + movesUp.length > 0 ? [storeId] : [],
  )
  signal.throwIfAborted()
  const start = dayAfter(charts.end, -search.windowDays)
  const until = new Date(Math.max(...charts.windows.map(({ within }) => within.at(-1)?.capturedAt ?? 0)))
  const from = new Date(until.getTime() - youngAppDays * dayMs)
  const young = await youngApps(
    db,
    search.country,
    { from, until },
    search.categoryId,
    [...moves.keys()],
    youngAppsRead,
  )
  const examined = [...new Set([...moves.keys(), ...young.map(({ storeId }) => storeId)])]
  const window = { start, end: charts.end, daysBefore: requiredDaysBefore }
  const growth = new Map(
    (await ratingGrowth(db, search.country, window, examined)).map((one) => [one.storeId, one]),
  )
  const youth = new Map(young.map((one) => [one.storeId, one]))
  const released = new Map(
    (await releaseDatesOf(db, search.country, moving)).map(({ storeId, releasedAt }) => [storeId, releasedAt]),
  )
  const apps = examined.flatMap((storeId) => {
    const moved = moves.get(storeId)
    const grown = growth.get(storeId)
    const signals = [
      ...(moved ? chartSignals(moved, released.get(storeId), until) : []),
      ...(grown ? [ratingSignal(grown)] : []),
    ]
    const app = youth.get(storeId)
    if (app) signals.push(releaseSignal(app, until, signals))
    const { score, reasons } = combineSignals(signals)
    if (score < leastScore) return []
    return [
      {
        storeId,
        kind: moved ? kindOf(moved) : null,
        score,
        reasons,
        firstCharted: moved?.firstCharted ?? null,
        evidence: shownBy(moved, grown),
      },
    ]
  })
  return {
    period: { from: dayAfter(start, 1), to: charts.end },
    examined: examined.length,
    apps: apps.sort(
      (one, other) =>
        Number(one.kind === null) - Number(other.kind === null) ||
        other.score - one.score ||
        (BigInt(one.storeId) < BigInt(other.storeId) ? -1 : 1),
    ),
    charts: charts.windows.length,
    watched: charts.windows.filter(({ before }) => before !== undefined).length,
  }
}

const dayMs = 86_400_000

function kindOf({ entries, movesUp }: ChartMoves): EmergingKind | null {
  if (movesUp.length > 0) return 'moved-up'
  return entries.length > 0 ? 'new-in-charts' : null
}

function chartSignals(
  { entries, movesUp }: ChartMoves,
  releasedAt: Date | undefined,
  until: Date,
): EmergingSignal[] {
  const reach = appAgeFactor(releasedAt && (until.getTime() - releasedAt.getTime()) / dayMs)
  return [
    ...(entries.length > 0 ? [entrySignal(entries, reach)] : []),
    ...(movesUp.length > 0 ? [moveUpSignal(movesUp, reach)] : []),
  ]
}

function ratingSignal({ before, now, beforeAt, nowAt }: RatingGrowth): EmergingSignal {
  const days = Math.max(1, Math.round((nowAt.getTime() - beforeAt.getTime()) / dayMs))
  return growthSignal({ before, now, days })
}

function releaseSignal(
  { releasedAt, ratings }: { releasedAt: Date; ratings: number | null },
  until: Date,
  others: readonly EmergingSignal[],
): EmergingSignal {
  const ageDays = (until.getTime() - releasedAt.getTime()) / dayMs
  return youngSignal({ releasedOn: releasedAt.toISOString().slice(0, 10), ageDays, ratings }, others)
}

/** The newest captures of the charts an app moved in, and its newest count of ratings. */
function shownBy(moved: ChartMoves | undefined, grown: RatingGrowth | undefined): ReadingAtInstant[] {
  const rated = grown ? [{ readingId: grown.readingId, observedAt: grown.nowAt.toISOString() }] : []
  return [...(moved?.evidence ?? []), ...rated]
}
