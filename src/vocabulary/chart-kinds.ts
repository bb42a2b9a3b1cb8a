import { joinWithOr } from './join-with-or.ts'

interface ChartRow {
  /** Display name. */
  label: string
  /** What determines the ranks. */
  ranksBy: 'downloads' | 'revenue'
  /** Which apps the chart shows; both if left out. */
  apps?: 'free' | 'paid'
  /** Whether Apple's newer feed has the chart. The older one has all. */
  inNewerFeed?: true
}

/** Apple's app charts. A new one needs a row here and a migration that adds it to the domain `chart_kind`. */
const charts = {
  'top-free': { label: 'Top Free', ranksBy: 'downloads', apps: 'free', inNewerFeed: true },
  'top-paid': { label: 'Top Paid', ranksBy: 'downloads', apps: 'paid', inNewerFeed: true },
  'top-grossing': { label: 'Top Grossing', ranksBy: 'revenue' },
} as const satisfies Record<string, ChartRow>

export type ChartKind = keyof typeof charts

export const chartKinds = Object.keys(charts) as readonly ChartKind[]

export const chartRow = (kind: ChartKind): ChartRow => charts[kind]

/** Such as `top-free, top-paid or top-grossing`. */
export const chartKindsInWords = joinWithOr(chartKinds)
