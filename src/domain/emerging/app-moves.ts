import type { Database } from '../../storage/database.ts'
import type { ChartRow } from '../charts/queries.ts'
import type { Shown } from './candidate-queries.ts'
import type { ChartWindow } from './chart-windows.ts'
import { type Entry, entryOf } from './entry.ts'
import { type MoveUp, moveUpOf } from './move-up.ts'
import { seenBefore } from './queries.ts'
import { type Places, standingsIn } from './standings.ts'

/** The chart moves of one app. */
export interface Moves {
  /** The first sighting in the charts of the search, milliseconds since 1970. */
  firstCharted: number
  entries: { chart: ChartRow; move: Entry }[]
  movesUp: { chart: ChartRow; move: MoveUp; days: number }[]
  /** The newest captures of the charts it moved in. */
  evidence: Shown[]
}

interface MaybeEntry {
  window: ChartWindow
  storeId: string
  move: Entry
}

/**
 * Moves of every app in the charts, by its id; an app that did not move has neither entries nor moves up. An app must be in
 * the newest capture of the window or in two, since a single odd capture can hold anything. One read.
 */
export async function movesIn(db: Database, windows: readonly ChartWindow[]): Promise<Map<string, Moves>> {
  const moves = new Map<string, Moves>()
  const entries: MaybeEntry[] = []
  for (const window of windows) entries.push(...addMoves(moves, window))
  const old = new Set(
    (
      await seenBefore(
        db,
        entries.map(({ window, storeId }) => ({
          chartId: window.chart.chartId,
          storeId,
          before: new Date(window.before?.capturedAt ?? 0),
        })),
      )
    ).map(({ chartId, storeId }) => `${chartId} ${storeId}`),
  )
  for (const { window, storeId, move } of entries) {
    if (old.has(`${window.chart.chartId} ${storeId}`)) continue
    moves.get(storeId)?.entries.push({ chart: window.chart, move })
    moves.get(storeId)?.evidence.push(window.newest)
  }
  return moves
}

/** Adds the moves up in a chart to the moves of the apps. Returns possible entries, to be checked against older captures. */
function addMoves(moves: Map<string, Moves>, window: ChartWindow): MaybeEntry[] {
  const { chart, before, within, newest } = window
  const captures = before ? [before, ...within] : within
  const inWindow = captures.length - within.length
  const entries: MaybeEntry[] = []
  for (const [storeId, ranks] of standingsIn(captures)) {
    const shown = ranks.subarray(inWindow)
    const first = shown.findIndex((rank) => rank > 0)
    const stays = (ranks.at(-1) ?? 0) > 0
    const firstAt = within[first]?.capturedAt
    if (firstAt === undefined || (!stays && shown.findLastIndex((rank) => rank > 0) === first)) continue
    const known = moves.get(storeId)
    const app = known ?? { firstCharted: firstAt, entries: [], movesUp: [], evidence: [] }
    if (!known) moves.set(storeId, app)
    app.firstCharted = Math.min(app.firstCharted, firstAt)
    if (!stays) continue
    const isOld = ranks.subarray(0, inWindow).some((rank) => rank > 0)
    const entry = isOld ? undefined : entryOf(shown, before, within)
    if (entry) entries.push({ window, storeId, move: entry })
    const move = entry ? undefined : moveUpOf(ranks, 0, ranks.length)
    if (!move) continue
    app.movesUp.push({ chart, move, days: daysBetween(captures[move.since], captures.at(-1)) })
    app.evidence.push(newest)
  }
  return entries
}

const dayMs = 86_400_000

/** At least 1. */
function daysBetween(one: Places | undefined, other: Places | undefined): number {
  return Math.max(1, Math.round(((other?.capturedAt ?? 0) - (one?.capturedAt ?? 0)) / dayMs))
}
