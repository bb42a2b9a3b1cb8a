import { momentText } from '../../../evidence/format.ts'
import type { RankedChart } from '../rank-lines.ts'

/** Where the ranks of a day were read, and when. */
export function DayProvenance({ charts, day }: { charts: readonly RankedChart[]; day: string }) {
  const points = charts.flatMap(({ chart, sources }) => {
    const point = chart.series.find(({ date }) => date === day)
    const source = sources[point?.source ?? -1]
    return point?.observedAt && source ? [{ at: point.observedAt, surface: source.surface }] : []
  })
  const times = points.map(({ at }) => at).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (!first || !last) return 'No snapshot of these charts that day.'
  const span = first === last ? momentText(first) : `${momentText(first)} to ${momentText(last)}`
  return `${[...new Set(points.map(({ surface }) => surface))].join(', ')}. Captured ${span}.`
}
