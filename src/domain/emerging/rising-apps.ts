import type { Database } from '../../storage/database.ts'
import { type ChartRow, capturesOf, chartsOf } from '../charts/queries.ts'
import { storefrontDay } from '../charts/storefront-day.ts'
import type { Shown } from './candidate-queries.ts'
import { type Climb, climbOf, type Entry, entryOf } from './chart-moves.ts'
import { type PlacesRow, placesOf, type RatingGrowth, ratingGrowth, seenBefore, youngApps } from './queries.ts'
import { type Scored, type Signal, scored, youngDays } from './score.ts'
import { climbSignal, entrySignal, growthSignal, youngSignal } from './signals.ts'
import { type Places, type Standing, standingsOf } from './standings.ts'
import { dayAfter, newestDay, type WatchedChart, watchedChart, watchedDaysBefore } from './watched-charts.ts'

/** What a run looks through. The window ends with the newest capture, so that stored evidence of any age can be asked. */
export interface Search {
  country: string
  /** Null for all categories. */
  categoryId: number | null
  windowDays: number
}

export interface RisingApp extends Scored {
  storeId: string
  /** The first sighting in the charts looked at, milliseconds since 1970; null for an app that stands in none. */
  firstCharted: number | null
  /** Newest first. */
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
const youngLooked = 1_000
/** Readings named behind an app. */
const mostEvidence = 5

/** Apps on the rise by stored charts and ratings. Six reads, whatever the number of charts. */
export async function risingApps(db: Database, search: Search, signal: AbortSignal): Promise<Rising> {
  const charts = await chartsAtHand(db, search)
  if (!charts) return { examined: 0, apps: [], charts: 0, watched: 0 }
  signal.throwIfAborted()
  const moves = await movesIn(db, charts.looks)
  signal.throwIfAborted()
  const start = dayAfter(charts.end, -search.windowDays)
  const until = new Date(Math.max(...charts.looks.map(({ within }) => within.at(-1)?.capturedAt ?? 0)))
  const from = new Date(until.getTime() - youngDays * dayMs)
  const young = await youngApps(
    db,
    search.country,
    { from, until },
    search.categoryId,
    [...moves.keys()],
    youngLooked,
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
    charts: charts.looks.length,
    watched: charts.looks.filter(({ before }) => before !== undefined).length,
  }
}

const dayMs = 86_400_000

/** One chart with the captures looked at. */
interface ChartLook {
  chart: ChartRow
  before: Places | undefined
  /** Oldest first, at least one. */
  within: Places[]
  newest: Shown
}

/** @returns undefined when no chart has a usable capture in the window */
async function chartsAtHand(
  db: Database,
  search: Search,
): Promise<{ end: string; looks: ChartLook[] } | undefined> {
  const { country, categoryId, windowDays } = search
  const charts = await chartsOf(db, country, categoryId === null ? {} : { categoryId })
  const newest = Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime()))
  if (charts.length === 0) return undefined
  const lastDay = storefrontDay(country, new Date(newest))
  const captures = await capturesOf(
    db,
    charts.map(({ chartId }) => chartId),
    dayAfter(lastDay, -windowDays - watchedDaysBefore),
    dayAfter(lastDay, 1),
  )
  const end = newestDay(captures)
  if (end === undefined) return undefined
  const watched = captures.flatMap((list) => watchedChart(list, end, windowDays) ?? [])
  const read = await placesOf(
    db,
    watched.flatMap(({ before, within }) => (before ? [before, ...within] : within)),
  )
  const byChart = Map.groupBy(read, ({ chartId }) => chartId)
  const byId = new Map(charts.map((chart) => [chart.chartId, chart]))
  const looks = watched.flatMap((one) => lookAt(byId.get(one.chartId), one, byChart.get(one.chartId) ?? []))
  return looks.length === 0 ? undefined : { end, looks }
}

function lookAt(
  chart: ChartRow | undefined,
  { before }: WatchedChart,
  read: readonly PlacesRow[],
): ChartLook[] {
  const ordered = read.toSorted((one, other) => one.capturedAt - other.capturedAt)
  const newest = ordered.at(-1)
  if (!chart || !newest) return []
  const places = ordered.map(({ capturedAt, places }) => ({ capturedAt, storeIds: places.split(',') }))
  const isBefore = ({ capturedAt }: Places) => capturedAt === before?.capturedAt
  return [
    {
      chart,
      before: places.find(isBefore),
      within: places.filter((one) => !isBefore(one)),
      newest: { readingId: newest.readingId, observedAt: new Date(newest.capturedAt).toISOString() },
    },
  ]
}

/** What the charts say about one app. */
interface Moves {
  firstCharted: number
  entries: { chart: ChartRow; move: Entry }[]
  climbs: { chart: ChartRow; move: Climb }[]
  /** The newest captures of the charts it moved in. */
  evidence: Shown[]
}

/** Moves of every app that the charts show; apps that did not move have none. */
async function movesIn(db: Database, looks: readonly ChartLook[]): Promise<Map<string, Moves>> {
  const moves = new Map<string, Moves>()
  const entries: { look: ChartLook; standing: Standing; move: Entry }[] = []
  for (const look of looks) {
    for (const standing of standingsOf(look.before, look.within)) {
      const { storeId, firstAt } = standing
      const known = moves.get(storeId)
      const app = known ?? { firstCharted: firstAt, entries: [], climbs: [], evidence: [] }
      if (!known) moves.set(storeId, app)
      app.firstCharted = Math.min(app.firstCharted, firstAt)
      const entry = entryOf(standing, look.before, look.within)
      if (entry) entries.push({ look, standing, move: entry })
      const climb = climbOf(standing, look.within)
      if (climb) {
        app.climbs.push({ chart: look.chart, move: climb })
        app.evidence.push(look.newest)
      }
    }
  }
  const old = new Set(
    (
      await seenBefore(
        db,
        entries.map(({ look, standing }) => ({
          chartId: look.chart.chartId,
          storeId: standing.storeId,
          before: new Date(look.before?.capturedAt ?? 0),
        })),
      )
    ).map(({ chartId, storeId }) => `${chartId} ${storeId}`),
  )
  for (const { look, standing, move } of entries) {
    if (old.has(`${look.chart.chartId} ${standing.storeId}`)) continue
    moves.get(standing.storeId)?.entries.push({ chart: look.chart, move })
    moves.get(standing.storeId)?.evidence.push(look.newest)
  }
  return moves
}

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

function shownBy(moved: Moves | undefined, grown: RatingGrowth | undefined): Shown[] {
  const rated = grown ? [{ readingId: grown.readingId, observedAt: grown.nowAt.toISOString() }] : []
  const shown = new Map([...(moved?.evidence ?? []), ...rated].map((one) => [JSON.stringify(one), one]))
  return [...shown.values()]
    .sort((one, other) => (one.observedAt < other.observedAt ? 1 : -1))
    .slice(0, mostEvidence)
}
