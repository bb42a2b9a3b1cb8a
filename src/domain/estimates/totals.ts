import { type EstimateMetric, totalPeriods } from '../../vocabulary/estimates.ts'
import { type EstimateRange, z80 } from './distributions.ts'

/** A stored estimate of a day. */
export interface EstimatedDayOfTotal extends EstimateRange {
  day: string
  metric: EstimateMetric
  currency: string | null
  /** Standard deviation of the logarithm between days of one app, where own sales provide it. */
  daySd?: number
}

export interface EstimateTotal extends EstimateRange {
  metric: EstimateMetric
  period: (typeof totalPeriods)[number]
  /** First and last day of the period within the window. */
  from: string
  to: string
  /** Number of estimated days, which alone are in the total. */
  days: number
  /** Days of the period within the window. */
  of: number
  currency: string | null
}

/** Used without own sales to measure the difference between days of one app. */
const assumedDaySd = 0.25

/**
 * Weeks from Monday to Sunday and calendar months within a window, oldest first, those of weeks first.
 * @param days at most one of each day, metric and currency
 */
export function estimateTotalsOf(
  days: readonly EstimatedDayOfTotal[],
  from: string,
  to: string,
): EstimateTotal[] {
  return totalPeriods.flatMap((period) => {
    const groups = Map.groupBy(days, ({ day, metric, currency }) =>
      [startOf(period, day), metric, currency].join(' '),
    )
    return [...groups.values()]
      .flatMap((group): EstimateTotal[] => {
        const [first] = group
        if (!first) return []
        const [start, end] = [startOf(period, first.day), endOf(period, first.day)]
        const within = { from: start < from ? from : start, to: end > to ? to : end }
        const { metric, currency } = first
        const of = (Date.parse(within.to) - Date.parse(within.from)) / dayMs + 1
        return [{ metric, period, ...within, days: group.length, of, currency, ...sumOfDays(group) }]
      })
      .sort((one, other) => (one.from + one.metric < other.from + other.metric ? -1 : 1))
  })
}

/**
 * The range of a sum of days. Uncertainty about the app and the law is the same on all its days, so it does not average out;
 * errors between days do (Fenton and Wilkinson's log-normal for their sum). One day's total is the day's range.
 * @param days at least one
 */
export function sumOfDays(
  days: readonly Pick<EstimatedDayOfTotal, 'low' | 'mid' | 'high' | 'daySd'>[],
): EstimateRange {
  const parts = days.map(({ low, mid, high, daySd = assumedDaySd }) => {
    const [down, up] = [mid / Math.max(low, 1e-9), high / mid].map((factor) => Math.log(factor) / z80)
    const variance = Math.min(daySd, down ?? 0, up ?? 0) ** 2
    return {
      mid,
      variance,
      down: Math.sqrt(Math.max(0, (down ?? 0) ** 2 - variance)),
      up: Math.sqrt(Math.max(0, (up ?? 0) ** 2 - variance)),
    }
  })
  const sum = parts.reduce((all, { mid }) => all + mid, 0)
  if (sum === 0) return { low: 0, mid: 0, high: 0 }
  const mean = parts.reduce((all, { mid, variance }) => all + mid * Math.exp(variance / 2), 0)
  const spread = parts.reduce(
    (all, { mid, variance }) => all + mid ** 2 * Math.exp(variance) * Math.expm1(variance),
    0,
  )
  const ofDays = Math.log1p(spread / mean ** 2)
  const mid = mean * Math.exp(-ofDays / 2)
  const shared = (side: 'down' | 'up') => parts.reduce((all, part) => all + (part.mid / sum) * part[side], 0)
  const away = (side: 'down' | 'up') => Math.exp(z80 * Math.sqrt(shared(side) ** 2 + ofDays))
  return { low: rounded(mid / away('down')), mid: rounded(mid), high: rounded(mid * away('up')) }
}

const rounded = (value: number) => Number(value.toPrecision(3))

const dayMs = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

function startOf(period: EstimateTotal['period'], day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`
  const time = Date.parse(day)
  return dayOf(time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs)
}

function endOf(period: EstimateTotal['period'], day: string): string {
  const start = new Date(startOf(period, day))
  if (period === 'week') return dayOf(start.getTime() + 6 * dayMs)
  return dayOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) - dayMs)
}
