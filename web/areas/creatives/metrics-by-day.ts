import type { ReplyOf } from '../../api/operations.ts'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import type { metricNames } from './words.ts'

type Point = ReplyOf<'get_organic_content'>['metricsHistory'][number]
type Metric = (typeof metricNames)[number]

export interface ByDay {
  /** Every day from the first observation to the last. */
  days: string[]
  /** The last observation of each day; undefined where there was none. */
  points: (Point | undefined)[]
}

/** Observations by day, days without one included: a chart shows them as gaps. */
export function byDay(history: readonly Point[]): ByDay {
  const last = new Map<string, Point>()
  for (const point of history) last.set(point.observedAt.slice(0, 10), point)
  const known = [...last.keys()].sort()
  const [first, end] = [known[0], known.at(-1)]
  if (!first || !end) return { days: [], points: [] }
  const days = daysUntil(end, daysBetween(first, end) + 1)
  return { days, points: days.map((day) => last.get(day)) }
}

/** Null where the metric was hidden or not observed: that is a gap, and no zero. */
export const valuesOfMetric = ({ points }: ByDay, metric: Metric): (number | null)[] =>
  points.map((point) => {
    const fact = point?.[metric]
    return fact?.state === 'measured' ? fact.value : null
  })
