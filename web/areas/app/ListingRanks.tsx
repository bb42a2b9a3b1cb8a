import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import type { Mark } from '../../charts/line-chart.ts'
import { addDays } from '../../evidence/days.ts'
import { count, countWithNoun } from '../../evidence/format.ts'
import { overallCategory } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'
import type { ListingChange } from './choices.ts'
import { RequestData } from './RequestData.tsx'
import { changeMarksOf, pointsBetween, rankSeriesOf } from './rank-series.ts'
import { dayWindowOf, today } from './window.ts'
import { notCollectedText } from './words.ts'

/** Days before the oldest change and around each one. */
const around = 28

/** Ranks in the overall charts, in charts of categories where no overall one shows the app; none are asked for without a window. */
function useRanks(window: { from: string; to?: string } | undefined) {
  const { storeId, country } = useAppOfPage()
  const asked = { storeId, country, ...window }
  const inOverall = useQuery({
    ...read('get_apple_chart_history', { ...asked, categoryId: overallCategory }),
    enabled: window !== undefined,
  })
  const isEmpty = inOverall.data?.charts.length === 0
  const inCategories = useQuery({ ...read('get_apple_chart_history', asked), enabled: isEmpty })
  const query = isEmpty ? inCategories : inOverall
  const series = useMemo(() => query.data && rankSeriesOf(query.data), [query.data])
  return { series, error: query.error, retry: () => void query.refetch() }
}

/**
 * Ranks since before the oldest change, as far back as one question reaches.
 * @param until the last day of an earlier part of the history; the newest part when left out
 */
export function useOverallRanks(changes: readonly ListingChange[] | undefined, until?: string) {
  const oldest = changes?.at(-1)?.lastSeenAt
  const first = oldest && addDays(oldest, -around)
  const from = first && dayWindowOf({ from: first, to: until }, today()).from
  return {
    ...useRanks(from ? { from, ...(until ? { to: until } : {}) } : undefined),
    from,
    until,
    /** The last day of the part before; undefined where this is the oldest. */
    earlier: first && from && first < from ? addDays(from, -1) : undefined,
  }
}

export type OverallRanks = ReturnType<typeof useOverallRanks>

/** The chart ranks of the whole history, with the days of the changes. */
export function RanksOverChanges({
  ranks,
  changes,
  onUntil,
}: {
  ranks: OverallRanks
  changes: readonly ListingChange[]
  /** Shows the part of the history that ends on a day; the newest without one. */
  onUntil: (day: string | undefined) => void
}) {
  const { earlier, until } = ranks
  const marks = useMemo(() => changeMarksOf(changes), [changes])
  return (
    <Panel
      title="Chart ranks and listing changes"
      note="Dashed lines: days on which a change was first seen. Marks below the axis: not ranked that day."
      actions={
        <>
          {until && (
            <Button small onPress={() => onUntil(undefined)}>
              Latest ranks
            </Button>
          )}
          {earlier && (
            <Button small onPress={() => onUntil(earlier)}>
              Earlier ranks
            </Button>
          )}
        </>
      }
    >
      <RanksChart ranks={ranks} marks={marks} label="Chart ranks and listing changes" height={240} />
    </Panel>
  )
}

/** The chart ranks in the four weeks on both sides of a change. */
export function RanksAroundChange({ ranks, change }: { ranks: OverallRanks; change: ListingChange }) {
  const [from, to] = [addDays(change.lastSeenAt, -around), addDays(change.firstSeenAt, around)]
  const isOutside =
    ranks.from !== undefined && (from < ranks.from || (ranks.until !== undefined && to > ranks.until))
  // Two looks that are years apart: the end of the time between them counts.
  const own = useRanks(isOutside ? { from: dayWindowOf({ from, to }, to).from, to } : undefined)
  const { series, ...asked } = isOutside ? own : ranks
  const shown = useMemo(() => series && pointsBetween(series, from, to), [series, from, to])
  const marks = useMemo(() => changeMarksOf([change]), [change])
  return (
    <RanksChart
      ranks={{ ...asked, series: shown }}
      marks={marks}
      label="Chart ranks around the change"
      height={200}
    />
  )
}

function RanksChart({
  ranks: { series, error, retry },
  marks,
  label,
  height,
}: {
  ranks: ReturnType<typeof useRanks>
  marks: readonly Mark[]
  label: string
  height: number
}) {
  if (!series) return error ? <Problem error={error} retry={retry} /> : <Skeleton height={height + 60} />
  if (series.lines.length === 0)
    return (
      <Empty
        title="Not ranked in any collected chart in this period"
        action={<RequestData kinds={['charts']} />}
      >
        {countWithNoun(series.chartsObserved, 'chart')} of the storefront collected.
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
  texts.length === 0 ? <p>{notCollectedText}</p> : texts.map((text) => <p key={text}>{text}</p>)
