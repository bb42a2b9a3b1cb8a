import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { addDays } from '../../evidence/days.ts'
import { Measured, RankValue } from '../../evidence/Fact.tsx'
import { count, dayText } from '../../evidence/format.ts'
import { EvidenceLines } from '../../evidence/provenance.tsx'
import { chartInWords } from '../../evidence/words.ts'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { X } from '../../ui/icons.ts'
import { Empty, Loaded, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { type Chart, type LineSpan, lineSpans } from './chart-search.ts'

/** The ranks of one app in the chart beside it, day by day. */
export function AppLine({
  chart,
  storeId,
  until,
  span = '90',
}: {
  chart: Chart
  storeId: string
  /** The last day of the line. */
  until: string
  span: LineSpan | undefined
}) {
  const navigate = useNavigate()
  const history = useQuery(
    read('get_apple_chart_history', { ...chart, storeId, from: addDays(until, 1 - Number(span)), to: until }),
  )
  const name = history.data?.app.name ?? `App ${storeId}`
  return (
    <Panel
      title={name}
      note={`Rank in ${chartInWords[chart.chart]}, ${span} days to ${dayText(until)}`}
      actions={
        <IconButton
          label="Close rank history"
          icon={<X size={16} aria-hidden="true" />}
          onPress={() =>
            void navigate({
              to: '.',
              search: ({ app: _, span: __, ...search }) => search,
              resetScroll: false,
            })
          }
        />
      }
    >
      <div className="stack">
        <Loaded query={history} skeleton={<Skeleton height={330} />}>
          {(reply) => <Line history={reply} />}
        </Loaded>
        <div className="row between" data-screen-only>
          <Segments
            label="Days"
            labelHidden
            segments={lineSpans.map((id) => ({ id, name: `${id} days` }))}
            value={span}
            onChange={(value) =>
              void navigate({
                to: '.',
                search: (search) => ({ ...search, span: value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <LinkButton small to="/apps/$storeId/ranks" params={{ storeId }} search={{ country: chart.country }}>
            All charts of this app
          </LinkButton>
        </div>
      </div>
    </Panel>
  )
}

function Line({ history }: { history: ReplyOf<'get_apple_chart_history'> }) {
  const [shown] = history.charts
  const drawn = useMemo(() => shown && lineOf(shown, history.app.name ?? history.app.storeId), [shown, history])
  if (!shown || !drawn)
    return (
      <Empty title="Not ranked in this period">
        {history.coverage.chartsObserved === 0
          ? 'The chart was not collected in this period.'
          : 'The chart was collected and did not list the app.'}
      </Empty>
    )
  return (
    <>
      <SourceIssues trouble={history.trouble} />
      <dl className="row stretch gap-4 rows-2">
        <div>
          <dt className="tiny">Best rank</dt>
          <dd className="bold">
            <Measured
              evidence={history.sources[shown.best.source]}
              observedAt={shown.best.observedAt}
              note={`First reached on ${dayText(shown.best.date)}.`}
            >
              {count(shown.best.rank)}
            </Measured>
          </dd>
        </div>
        <div>
          <dt className="tiny">Latest rank</dt>
          <dd className="bold">
            <RankValue rank={shown.current} evidence={shown.evidence} />
          </dd>
        </div>
        <div>
          <dt className="tiny">Days ranked</dt>
          <dd className="bold">{count(shown.daysInChart)}</dd>
        </div>
        <div>
          <dt className="tiny">Days not ranked</dt>
          <dd className="bold">{count(shown.daysOutside)}</dd>
        </div>
        <div>
          <dt className="tiny">Days not collected</dt>
          <dd className="bold">{count(shown.daysWithoutSnapshot)}</dd>
        </div>
      </dl>
      <LineChart
        label={`Ranks of ${history.app.name ?? history.app.storeId}`}
        days={drawn.days}
        lines={drawn.lines}
        format={count}
        ranks
        height={240}
        provenance={(index) => {
          const point = shown.series[index]
          return point && point.source !== null ? (
            <EvidenceLines
              evidence={history.sources[point.source]}
              observedAt={point.observedAt ?? undefined}
            />
          ) : null
        }}
      />
    </>
  )
}

function lineOf({ series }: ReplyOf<'get_apple_chart_history'>['charts'][number], name: string) {
  return {
    days: series.map(({ date }) => date),
    lines: [
      {
        id: 'rank',
        name,
        values: series.map(({ rank }) => (rank.state === 'measured' ? rank.value : null)),
        absent: series.map(({ rank }) => rank.state === 'absent'),
      },
    ],
  }
}
