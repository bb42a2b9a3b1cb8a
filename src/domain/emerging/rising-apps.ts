import type { Database } from '../../storage/database.ts'
import { type Moves, movesIn } from './app-moves.ts'
import type { Shown } from './candidate-queries.ts'
import { readChartWindows, type Search } from './chart-windows.ts'
import { type RatingGrowth, ratingGrowth, youngApps } from './queries.ts'
import { type Scored, type Signal, scored, youngDays } from './score.ts'
import { climbSignal, entrySignal, growthSignal, youngSignal } from './signals.ts'
import { dayAfter, watchedDaysBefore } from './watched-charts.ts'

export interface RisingApp extends Scored {
  storeId: string
  /** The first sighting in the charts looked at, milliseconds since 1970; null for an app that stands in none. */
  firstCharted: number | null
  /** What shows it, in no order. */
  evidence: Shown[]
}

export interface Rising {
  /** Apps looked at. */
  examined: number
  /** Strongest first, then by id. */
  apps: RisingApp[]
  /** Charts looked at, and those of them that were watched before the window and so can tell entries. */
  charts: number
  watched: number
}

/** Weaker rises are not worth a reader's time. */
const leastScore = 5
/** Young apps looked at beside those of the charts, most rated first. */
const youngAppsRead = 1_000

/** Apps on the rise by stored charts and ratings. Six reads, whatever the number of charts. */
export async function risingApps(db: Database, search: Search, signal: AbortSignal): Promise<Rising> {
  const charts = await readChartWindows(db, search)
  if (!charts) return { examined: 0, apps: [], charts: 0, watched: 0 }
  signal.throwIfAborted()
  const moves = await movesIn(db, charts.windows)
  signal.throwIfAborted()
  const start = dayAfter(charts.end, -search.windowDays)
  const until = new Date(Math.max(...charts.windows.map(({ within }) => within.at(-1)?.capturedAt ?? 0)))
  const from = new Date(until.getTime() - youngDays * dayMs)
  const young = await youngApps(
    db,
    search.country,
    { from, until },
    search.categoryId,
    [...moves.keys()],
    youngAppsRead,
  )
  const examined = [...new Set([...moves.keys(), ...young.map(({ storeId }) => storeId)])]
  const window = { start, end: charts.end, daysBefore: watchedDaysBefore }
  const growth = new Map(
    (await ratingGrowth(db, search.country, window, examined)).map((one) => [one.storeId, one]),
  )
  const released = new Map(young.map((one) => [one.storeId, one]))
  const apps = examined.flatMap((storeId) => {
    const moved = moves.get(storeId)
    const grown = growth.get(storeId)
    const signals = [...(moved ? chartSignals(moved) : []), ...(grown ? [ratingSignal(grown)] : [])]
    const app = released.get(storeId)
    if (app) signals.push(releaseSignal(app, until, signals))
    const { score, reasons } = scored(signals)
    if (score < leastScore) return []
    return [
      { storeId, score, reasons, firstCharted: moved?.firstCharted ?? null, evidence: shownBy(moved, grown) },
    ]
  })
  return {
    examined: examined.length,
    apps: apps.sort(
      (one, other) => other.score - one.score || (BigInt(one.storeId) < BigInt(other.storeId) ? -1 : 1),
    ),
    charts: charts.windows.length,
    watched: charts.windows.filter(({ before }) => before !== undefined).length,
  }
}

const dayMs = 86_400_000

function chartSignals({ entries, climbs }: Moves): Signal[] {
  return [
    ...(entries.length > 0 ? [entrySignal(entries)] : []),
    ...(climbs.length > 0 ? [climbSignal(climbs)] : []),
  ]
}

function ratingSignal({ before, now, beforeAt, nowAt }: RatingGrowth): Signal {
  const days = Math.max(1, Math.round((nowAt.getTime() - beforeAt.getTime()) / dayMs))
  return growthSignal({ before, now, days })
}

function releaseSignal(
  { releasedAt, ratings }: { releasedAt: Date; ratings: number | null },
  until: Date,
  others: readonly Signal[],
): Signal {
  const ageDays = (until.getTime() - releasedAt.getTime()) / dayMs
  return youngSignal({ releasedOn: releasedAt.toISOString().slice(0, 10), ageDays, ratings }, others)
}

/** The newest captures of the charts an app moved in, and its newest count of ratings. */
function shownBy(moved: Moves | undefined, grown: RatingGrowth | undefined): Shown[] {
  const rated = grown ? [{ readingId: grown.readingId, observedAt: grown.nowAt.toISOString() }] : []
  return [...(moved?.evidence ?? []), ...rated]
}
