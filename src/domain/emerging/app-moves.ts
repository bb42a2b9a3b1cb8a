import type { Database } from '../../storage/database.ts'
import type { ChartRow } from '../charts/queries.ts'
import type { Shown } from './candidate-queries.ts'
import type { ChartLook } from './chart-looks.ts'
import { type Climb, climbOf, type Entry, entryOf } from './chart-moves.ts'
import { seenBefore } from './queries.ts'
import { type Standing, standingsOf } from './standings.ts'

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
export async function movesIn(db: Database, looks: readonly ChartLook[]): Promise<Map<string, Moves>> {
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
