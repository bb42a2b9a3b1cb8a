import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import type { Line, Mark } from '../../charts/line-chart.ts'
import { addDays } from '../../evidence/days.ts'
import { count, momentText } from '../../evidence/format.ts'
import { chartInWords } from '../../evidence/words.ts'
import { Empty, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { AskFor } from './AskFor.tsx'
import { useAppOfPage } from './app-of-page.ts'
import { type ListingChange, listingFieldInWords } from './choices.ts'

type History = ReplyOf<'get_apple_chart_history'>

/** Apple's genre of all categories. */
const overall = '36'
/** Days before the oldest change and around each one. */
const around = 28
const most = 6

/** Ranks in the overall charts since before the oldest change; in charts of categories where no overall one shows the app. */
export function useOverallRanks(changes: readonly ListingChange[] | undefined) {
  const { storeId, country } = useAppOfPage()
  const oldest = changes?.at(-1)?.lastSeenAt
  const window = { storeId, country, ...(oldest ? { from: addDays(oldest, -around) } : {}) }
  const inOverall = useQuery({
    ...read('get_apple_chart_history', { ...window, categoryId: overall }),
    enabled: oldest !== undefined,
  })
  const isEmpty = inOverall.data?.charts.length === 0
  const inCategories = useQuery({ ...read('get_apple_chart_history', window), enabled: isEmpty })
  const query = isEmpty ? inCategories : inOverall
  const series = useMemo(() => query.data && seriesOf(query.data), [query.data])
  return { series, error: query.error, retry: () => void query.refetch() }
}

export type OverallRanks = ReturnType<typeof useOverallRanks>

/** The chart ranks of the whole history, with the days of the changes. */
export function RanksOverChanges({
  ranks,
  changes,
}: {
  ranks: OverallRanks
  changes: readonly ListingChange[]
}) {
  const marks = useMemo(() => marksOf(changes), [changes])
  return (
    <Panel
      title="Chart ranks and listing changes"
      note="1 is on top. The dashed lines are the days on which a change was first seen; days outside the chart are marks at the foot."
    >
      <RanksChart ranks={ranks} marks={marks} label="Chart ranks and listing changes" height={240} />
    </Panel>
  )
}

/** The chart ranks in the four weeks on both sides of a change. */
export function RanksAroundChange({ ranks, change }: { ranks: OverallRanks; change: ListingChange }) {
  const part = useMemo(() => {
    if (!ranks.series) return ranks
    const [first, last] = [addDays(change.lastSeenAt, -around), addDays(change.firstSeenAt, around)]
    return { ...ranks, series: between(ranks.series, first, last) }
  }, [ranks, change])
  const marks = useMemo(() => marksOf([change]), [change])
  return <RanksChart ranks={part} marks={marks} label="Chart ranks around the change" height={200} />
}

function RanksChart({
  ranks: { series, error, retry },
  marks,
  label,
  height,
}: {
  ranks: OverallRanks
  marks: readonly Mark[]
  label: string
  height: number
}) {
  if (!series) return error ? <Problem error={error} retry={retry} /> : <Skeleton height={height + 60} />
  if (series.lines.length === 0)
    return (
      <Empty title="No stored chart showed the app in this time" action={<AskFor kinds={['charts']} />}>
        {count(series.chartsObserved)} charts of the storefront were looked at.
      </Empty>
    )
  return (
    <LineChart
      label={label}
      days={series.days}
      lines={series.lines}
      marks={marks}
      format={rankText}
      ranks
      height={height}
      provenance={(index) => <Sources texts={series.sources[index] ?? []} />}
    />
  )
}

const rankText = (rank: number) => (Number.isInteger(rank) ? `#${count(rank)}` : '')

const Sources = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 0 ? <p>Nobody looked on this day.</p> : texts.map((text) => <p key={text}>{text}</p>)

interface RankSeries {
  days: string[]
  lines: Line[]
  /** For each day where its ranks were read. */
  sources: string[][]
  chartsObserved: number
}

function seriesOf({ charts, sources, coverage }: History): RankSeries {
  const best = charts.toSorted((a, b) => b.daysInChart - a.daysInChart).slice(0, most)
  const days = best[0]?.series.map(({ date }) => date) ?? []
  return {
    days,
    lines: best.map(({ chart, categoryId, categoryName, device, series }) => ({
      id: `${chart} ${categoryId} ${device}`,
      name: `${chartInWords[chart]}, ${categoryId === overall ? 'overall' : categoryName} (${device === 'ipad' ? 'iPad' : 'iPhone'})`,
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

function between(
  { days, lines, sources, chartsObserved }: RankSeries,
  first: string,
  last: string,
): RankSeries {
  const from = Math.max(
    0,
    days.findIndex((day) => day >= first),
  )
  const to = days.findLastIndex((day) => day <= last) + 1
  const part = <Value,>(values: readonly Value[]) => values.slice(from, to)
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

const marksOf = (changes: readonly ListingChange[]): Mark[] =>
  changes.map(({ firstSeenAt, fields }) => ({
    day: firstSeenAt.slice(0, 10),
    text: `Listing: ${fields.map(({ field }) => listingFieldInWords[field]).join(', ')}`,
  }))
