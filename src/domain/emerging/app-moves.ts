import type { Database } from '../../storage/database.ts'
import type { ChartRow } from '../charts/queries.ts'
import type { Shown } from './candidate-queries.ts'
import { type Climb, climbOf, type Entry, entryOf } from './chart-moves.ts'
import type { ChartWindow } from './chart-windows.ts'
import { type ChartPlacement, placementsOf } from './placements.ts'
import { seenBefore } from './queries.ts'

/** What the charts say about one app. */
export interface Moves {
  /** The first sighting in the charts looked at, milliseconds since 1970. */
  firstCharted: number
  entries: { chart: ChartRow; move: Entry }[]
  climbs: { chart: ChartRow; move: Climb }[]
  /** The newest captures of the charts it moved in. */
  evidence: Shown[]
}

/** Moves of every app that the charts show, by its id; one that did not move has neither entries nor climbs. One read. */
export async function movesIn(db: Database, windows: readonly ChartWindow[]): Promise<Map<string, Moves>> {
  const moves = new Map<string, Moves>()
  const entries: { window: ChartWindow; placement: ChartPlacement; move: Entry }[] = []
  for (const window of windows) {
    for (const placement of placementsOf(window.before, window.within)) {
      const { storeId, firstAt } = placement
      const known = moves.get(storeId)
      const app = known ?? { firstCharted: firstAt, entries: [], climbs: [], evidence: [] }
      if (!known) moves.set(storeId, app)
      app.firstCharted = Math.min(app.firstCharted, firstAt)
      const entry = entryOf(placement, window.before, window.within)
      if (entry) entries.push({ window, placement, move: entry })
      const climb = climbOf(placement, window.within)
      if (climb) {
        app.climbs.push({ chart: window.chart, move: climb })
        app.evidence.push(window.newest)
      }
    }
  }
  const old = new Set(
    (
      await seenBefore(
        db,
        entries.map(({ window, placement }) => ({
          chartId: window.chart.chartId,
          storeId: placement.storeId,
          before: new Date(window.before?.capturedAt ?? 0),
        })),
      )
    ).map(({ chartId, storeId }) => `${chartId} ${storeId}`),
  )
  for (const { window, placement, move } of entries) {
    if (old.has(`${window.chart.chartId} ${placement.storeId}`)) continue
    moves.get(placement.storeId)?.entries.push({ chart: window.chart, move })
    moves.get(placement.storeId)?.evidence.push(window.newest)
  }
  return moves
}
