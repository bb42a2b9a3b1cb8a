import { queryOptions } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import { readOfPages } from '../../api/session.ts'
import type { SeriesSource } from '../../evidence/shapes.ts'
import { compactSearch } from '../../ui/search-params.ts'
import type { Chart } from './chart-search.ts'

/** The ranks of a chart by day, as `GET /chart-ranks` answers (docs/http.md). */
export interface ChartRanks {
  /** Oldest first. `places`: how many of the first hundred Apple returned. */
  days: readonly {
    date: string
    capture: { places: number; observedAt: string; source: number } | null
  }[]
  sources: readonly SeriesSource[]
  /** Those of the last capture, best first; null where a day does not show the app. */
  apps: readonly { storeId: string; ranks: readonly (number | null)[] }[]
}

/** Its key begins with an operation that rests on the same evidence. */
export const chartRanks = (chart: Chart, until: string | undefined) =>
  queryOptions({
    queryKey: ['get_apple_charts', 'ranks', chart, until ?? null] as const,
    queryFn: ({ signal }) =>
      readOfPages<ChartRanks>(
        `/chart-ranks?${new URLSearchParams({ ...chart, ...compactSearch({ until }) })}`,
        signal,
      ),
  })

/** The last capture of the month, with the names of its apps. */
export const newestOfMonth = (chart: Chart, until: string | undefined) =>
  read('get_apple_charts', { ...chart, ...compactSearch({ date: until }), limit: 100 })
