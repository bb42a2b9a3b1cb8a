import type { ReplyOf } from '../../api/operations.ts'
import type { Line } from '../../charts/line-chart.ts'
import type { Country, SeriesSource } from '../../evidence/shapes.ts'
import { chartInWords, deviceInWords } from '../../evidence/words.ts'

export type ChartHistory = ReplyOf<'get_apple_chart_history'>
export type AppChart = ChartHistory['charts'][number]

/** One chart of one storefront, with the sources its points were read from. */
export interface RankedChart {
  id: string
  name: string
  chart: AppChart
  sources: readonly SeriesSource[]
}

/**
 * The charts that are drawn beside each other, best rank first. Their names say no more than tells them apart: the
 * storefront where there are several, the device where both are shown.
 */
export function rankedChartsOf(
  histories: readonly ChartHistory[],
  kinds: readonly AppChart['chart'][],
  nameOf: (country: Country) => string,
): RankedChart[] {
  const all = histories.flatMap(({ charts, sources }) =>
    charts
      .filter(({ chart }) => kinds.length === 0 || kinds.includes(chart))
      .map((chart) => ({ chart, sources })),
  )
  const differ = (of: (chart: AppChart) => string) => new Set(all.map(({ chart }) => of(chart))).size > 1
  const [countries, categories, devices] = [
    differ(({ country }) => country),
    differ(({ categoryId }) => categoryId),
    differ(({ device }) => device),
  ]
  return all
    .sort((a, b) => a.chart.best.rank - b.chart.best.rank)
    .map(({ chart, sources }) => ({
      id: [chart.country, chart.chart, chart.categoryId, chart.device].join('-'),
      name: [
        countries && nameOf(chart.country),
        chartInWords[chart.chart],
        categories && chart.categoryName,
        devices && deviceInWords[chart.device],
      ]
        .filter((part) => typeof part === 'string')
        .join(' · '),
      chart,
      sources,
    }))
}

/** The ranks of a chart on the days that are drawn; a day its series does not have is a gap like one without a snapshot. */
export function rankLineOf({ id, name, chart }: RankedChart, days: readonly string[]): Line {
  const ranks = new Map(chart.series.map(({ date, rank }) => [date, rank]))
  const onDays = days.map((day) => ranks.get(day))
  return {
    id,
    name,
    values: onDays.map((rank) => (rank?.state === 'measured' ? rank.value : null)),
    absent: onDays.map((rank) => rank?.state === 'absent'),
  }
}
