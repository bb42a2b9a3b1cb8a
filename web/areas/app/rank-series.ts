import type { ReplyOf } from '../../api/operations.ts'
import type { Line, Mark } from '../../charts/line-chart.ts'
import { momentText } from '../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../evidence/words.ts'
import { type ListingChange, listingFieldInWords } from './choices.ts'

type History = ReplyOf<'get_apple_chart_history'>

/** Charts of one drawing. */
const most = 6

/** Ranks by day as a chart draws them. */
interface RankSeries {
  days: string[]
  lines: Line[]
  /** For each day where its ranks were read. */
  sources: string[][]
  chartsObserved: number
}

/** The charts that showed the app on most days. */
export function rankSeriesOf({ charts, sources, coverage }: History): RankSeries {
  const best = charts.toSorted((a, b) => b.daysInChart - a.daysInChart).slice(0, most)
  const days = best[0]?.series.map(({ date }) => date) ?? []
  return {
    days,
    lines: best.map(({ chart, categoryId, categoryName, device, series }) => ({
      id: `${chart} ${categoryId} ${device}`,
      name: `${chartInWords[chart]}, ${categoryName} (${deviceInWords[device]})`,
      values: series.map(({ rank }) => (rank.state === 'measured' ? rank.value : null)),
      absent: series.map(({ rank }) => rank.state === 'absent'),
    })),
    sources: days.map((_, index) => [
      ...new Set(
        best.flatMap(({ series }) => {
          const { source, observedAt } = series[index] ?? { source: null, observedAt: null }
          if (source === null || observedAt === null) return []
          return [`${sources[source]?.surface ?? ''}, ${momentText(observedAt)}`]
        }),
      ),
    ]),
    chartsObserved: coverage.chartsObserved,
  }
}

/** The part from one day to another. */
export function pointsBetween(
  { days, lines, sources, chartsObserved }: RankSeries,
  first: string,
  last: string,
): RankSeries {
  const from = days.filter((day) => day < first).length
  const to = days.filter((day) => day <= last).length
  const part = <Value>(values: readonly Value[]) => values.slice(from, to)
  return {
    days: part(days),
    lines: lines.map((line) => ({
      ...line,
      values: part(line.values),
      ...(line.absent ? { absent: part(line.absent) } : {}),
    })),
    sources: part(sources),
    chartsObserved,
  }
}

/** The days on which changes were first seen. */
export const changeMarksOf = (changes: readonly ListingChange[]): Mark[] =>
  changes.map(({ firstSeenAt, fields }) => ({
    day: firstSeenAt.slice(0, 10),
    text: `Listing: ${fields.map(({ field }) => listingFieldInWords(field)).join(', ')}`,
  }))
