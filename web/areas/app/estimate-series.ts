import type { ReplyOf } from '../../api/operations.ts'
import type { Line } from '../../charts/line-chart.ts'
import { estimateText } from '../../evidence/estimate.ts'
import { estimateMethodInWords, estimateMetricInWords } from '../../evidence/words.ts'

export type EstimateHistory = ReplyOf<'get_competitor_estimate_history'>
export type EstimatePoint = EstimateHistory['points'][number]
export type Metric = EstimatePoint['metric']
type Method = keyof typeof estimateMethodInWords

/** The points of one metric and one currency: numbers of two currencies are never drawn in one. */
export interface EstimateSeries {
  metric: Metric
  /** Null for downloads. */
  currency: string | null
  points: readonly EstimatePoint[]
}

/** One series for downloads and one for each currency that revenue was estimated in; a metric without any number has one too. */
export function estimateSeriesOf(points: readonly EstimatePoint[], metric: Metric): EstimateSeries[] {
  const own = points.filter((point) => point.metric === metric)
  const currencies = [
    ...new Set(own.flatMap(({ estimate }) => (estimate.state === 'estimated' ? [estimate.currency] : []))),
  ]
  return (currencies.length === 0 ? [null] : currencies).map((currency) => ({
    metric,
    currency,
    points: own.filter(({ estimate }) => estimate.state !== 'estimated' || estimate.currency === currency),
  }))
}

/**
 * For each method the band from low to high with its middle: a step from one method to another is no move of the app, so no
 * line crosses it. A day without an estimate is a gap.
 */
export function estimateLinesOf({ metric, points }: EstimateSeries, days: readonly string[]): Line[] {
  const methods = new Set(
    points.flatMap(({ estimate }) => (estimate.state === 'estimated' ? [estimate.method] : [])),
  )
  return [...methods].map((method) => ({
    ...lineOf(points, method, days),
    name: methods.size > 1 ? estimateMethodInWords[method] : estimateMetricInWords[metric],
  }))
}

function lineOf(points: readonly EstimatePoint[], method: Method, days: readonly string[]): Omit<Line, 'name'> {
  const byDay = new Map(points.map(({ date, estimate }) => [date, estimate]))
  const bound = (name: 'low' | 'mid' | 'high') =>
    days.map((day) => {
      const estimate = byDay.get(day)
      return estimate?.state === 'estimated' && estimate.method === method ? estimate[name] : null
    })
  return {
    id: method,
    values: bound('mid'),
    low: bound('low'),
    high: bound('high'),
  }
}

/** Writes numbers of a series with no more digits than its typical range carries. */
export function estimateFormatOf({ points, currency }: EstimateSeries): (value: number) => string {
  const ranges = points.flatMap(({ estimate }) => (estimate.state === 'estimated' ? [estimate] : []))
  return (value) => {
    const nearest = ranges.find(({ low, mid, high }) => value === low || value === mid || value === high)
    if (nearest) return estimateText(value, nearest)
    // Labels of an axis are exact.
    return estimateText(value, { low: value, mid: value, high: value, currency })
  }
}
