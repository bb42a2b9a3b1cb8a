interface ChartRow {
  /** As people read it. */
  label: string
  /** What places of it go by. */
  ranksBy: 'downloads' | 'revenue'
  /** Which apps it shows; both when left out. */
  apps?: 'free' | 'paid'
  /** Whether the newer of Apple's feeds has it; the older one has all. */
  inNewerFeed?: true
}

/** Apple's charts of apps. A new one is a row here, and its word in a migration of `chart_kind`. */
const charts = {
  'top-free': { label: 'Top Free', ranksBy: 'downloads', apps: 'free', inNewerFeed: true },
  'top-paid': { label: 'Top Paid', ranksBy: 'downloads', apps: 'paid', inNewerFeed: true },
  'top-grossing': { label: 'Top Grossing', ranksBy: 'revenue' },
} as const satisfies Record<string, ChartRow>

export type ChartKind = keyof typeof charts

export const chartKinds = Object.keys(charts) as readonly ChartKind[]

export const chartRow = (kind: ChartKind): ChartRow => charts[kind]

/** Such as `top-free, top-paid or top-grossing`. */
export const chartKindsInWords = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(chartKinds)
