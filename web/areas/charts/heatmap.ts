import type { AppLabel } from '../../evidence/shapes.ts'
import type { CsvValue } from '../../ui/csv.ts'
import type { ChartRanks } from './chart-ranks.ts'
import type { Snapshot } from './chart-search.ts'

/** The state of an app on one day. `gap`: there is no snapshot. */
export type HeatmapCell =
  | { kind: 'rank'; rank: number }
  | { kind: 'outside'; depth: number }
  | { kind: 'gap' | 'suspect' }

export interface HeatRow {
  app: AppLabel
  cells: HeatmapCell[]
}

/** The ranks of the best apps of the newest snapshot on each day of the month before it. */
export function heatRows(
  { items }: Pick<Snapshot, 'items'>,
  top: number,
  { days, apps }: Pick<ChartRanks, 'days' | 'apps'>,
): HeatRow[] {
  const ranks = new Map(apps.map((app) => [app.storeId, app.ranks]))
  return items.slice(0, top).map(({ app }) => ({
    app,
    cells: days.map(({ capture }, index): HeatmapCell => {
      if (!capture) return { kind: 'gap' }
      // Apple answering an empty chart is suspect: it says nothing of the app.
      if (capture.places === 0) return { kind: 'suspect' }
      const rank = ranks.get(app.storeId)?.[index] ?? null
      return rank === null ? { kind: 'outside', depth: capture.places } : { kind: 'rank', rank }
    }),
  }))
}

/** Bands of ranks, best first, in the order of the tokens of the heat map. */
export const rankBands = [
  { upTo: 3, name: '1–3' },
  { upTo: 10, name: '4–10' },
  { upTo: 25, name: '11–25' },
  { upTo: 50, name: '26–50' },
  { upTo: 100, name: '51–100' },
] as const

/** The band of a rank, from 1; ranks beyond the last one are in it. */
export function rankBandOf(rank: number): number {
  const index = rankBands.findIndex(({ upTo }) => rank <= upTo)
  return (index === -1 ? rankBands.length - 1 : index) + 1
}

/** A cell without its colour. */
export function cellInWords(cell: HeatmapCell): string {
  switch (cell.kind) {
    case 'rank':
      return `rank ${cell.rank}`
    case 'outside':
      return `not in top ${cell.depth}`
    case 'gap':
      return 'not collected'
    case 'suspect':
      return 'empty response from Apple, not counted'
  }
}

export const csvOfCell = (cell: HeatmapCell): CsvValue => (cell.kind === 'rank' ? cell.rank : cellInWords(cell))
