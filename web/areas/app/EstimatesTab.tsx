import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { invalidateReads, read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import { countryName, countWithNoun, momentText, percentText } from '../../evidence/format.ts'
import { formulaInWords } from '../../evidence/formula.ts'
import type { Country } from '../../evidence/shapes.ts'
import {
  estimateMethodInWords,
  estimateMetricInWords,
  estimateMetrics,
  reasonInWords,
} from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { RotateCw } from '../../ui/icons.ts'
import { Empty, Filters, Loaded, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { useAppOfPage } from './app-of-page.ts'
import { DayWindow } from './DayWindow.tsx'
import { EstimateMethod } from './EstimateMethod.tsx'
import { EstimateTotals } from './EstimateTotals.tsx'
import {
  type EstimateHistory,
  type EstimateSeries,
  estimateFormatOf,
  estimateLinesOf,
  estimateSeriesOf,
} from './estimate-series.ts'
import { dayWindowOf, today, type Window } from './window.ts'
import { notCollectedText } from './words.ts'

const pollMs = 1_500
/** Downloads and revenue over time as ranges, with how they were made. */
export function EstimatesTab() {
  const { storeId, country } = useAppOfPage()
  const search = useSearch({ from: '/apps/$storeId/estimates' })
  const navigate = useNavigate({ from: '/apps/$storeId/estimates' })
  const change = (changed: {
    last?: Window | undefined
    from?: string | undefined
    to?: string | undefined
    period?: 'month' | undefined
    log?: true | undefined
  }) => void navigate({ search: (before) => compactSearch({ ...before, ...changed }), replace: true })
  const window = dayWindowOf(search, today())
  const { from, to } = window
  const query = useQuery({
    ...read('get_competitor_estimate_history', { storeId, country, from, to }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.refresh) ? pollMs : false),
  })
  const mayWrite = useHasScope('content:write')
  const refresh = useWrite('refresh_competitor_estimates', {
    changes: ['get_competitor_estimate_history', 'get_competitor'],
  })
  useInvalidateWhenDone(query.data?.refresh)
  return (
    <>
      <Filters label="Chart options">
        <DayWindow window={window} onChange={change} />
        <Checkbox isSelected={search.log ?? false} onChange={(log) => change({ log: log || undefined })}>
          Log scale
        </Checkbox>
        {mayWrite && (
          <Button
            icon={<RotateCw size={14} aria-hidden="true" />}
            isPending={refresh.isPending || isUnderWay(query.data?.refresh)}
            onPress={() => refresh.mutate({ storeId, country })}
          >
            Recompute
          </Button>
        )}
      </Filters>
      <Loaded
        query={query}
        skeleton={
          <div className="stack">
            <Skeleton height={370} />
            <Skeleton height={370} />
          </div>
        }
      >
        {(history) => (
          <>
            <SourceIssues trouble={history.trouble} />
            {history.refresh && history.refresh.status !== 'succeeded' && (
              <WorkProgress work={history.refresh} name="Recomputing estimates" />
            )}
            {estimateMetrics.flatMap((metric) =>
              estimateSeriesOf(history.points, metric).map((series) => (
                <SeriesPanel
                  key={`${metric} ${series.currency}`}
                  series={series}
                  history={history}
                  country={country}
                  logarithmic={search.log ?? false}
                />
              )),
            )}
            <EstimateTotals
              history={history}
              period={search.period ?? 'week'}
              onPeriod={(period) => change({ period: period === 'month' ? period : undefined })}
            />
            <EstimateMethod history={history} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** The newest estimate stands on other tabs too. */
function useInvalidateWhenDone(refresh: EstimateHistory['refresh'] | undefined) {
  const queries = useQueryClient()
  const wasUnderWay = useRef(false)
  const isNow = isUnderWay(refresh)
  useEffect(() => {
    if (wasUnderWay.current && !isNow) void invalidateReads(queries, ['get_competitor'])
    wasUnderWay.current = isNow
  }, [isNow, queries])
}

function SeriesPanel({
  series,
  history,
  country,
  logarithmic,
}: {
  series: EstimateSeries
  history: EstimateHistory
  country: Country
  logarithmic: boolean
}) {
  const { metric, currency, points } = series
  const { from, to } = history
  const name = estimateMetricInWords[metric]
  const [days, lines, format] = useMemo(() => {
    const drawn = daysUntil(to, daysBetween(from, to) + 1)
    return [drawn, estimateLinesOf(series, drawn), estimateFormatOf(series)] as const
  }, [series, from, to])
  const measured = points.filter(({ estimate }) => estimate.state === 'estimated').length
  return (
    <Panel
      title={`${name} per day in ${countryName(country)}${currency ? `, ${currency}` : ''}`}
      note={`Line: estimate. Band: ${percentText(0.8)} range. Modelled from chart ranks and ratings, not reported by Apple.`}
    >
      {measured === 0 ? (
        <Empty title={`No ${name.toLowerCase()} estimates in this period`}>
          <WhyNot series={series} />
        </Empty>
      ) : (
        <LineChart
          label={`${name} per day, ${history.app.name ?? history.app.storeId}, ${countryName(country)}`}
          days={days}
          lines={lines}
          format={format}
          logarithmic={logarithmic}
          height={280}
          provenance={(index) => <DayNote series={series} history={history} day={days[index] ?? ''} />}
        />
      )}
      {measured > 0 && measured < points.length && <WhyNot series={series} />}
    </Panel>
  )
}

/** How many days have no estimate, by reason. */
function WhyNot({ series: { points } }: { series: EstimateSeries }) {
  const reasons = new Map<keyof typeof reasonInWords, number>()
  for (const { estimate } of points)
    if (estimate.state === 'not-measured') reasons.set(estimate.reason, (reasons.get(estimate.reason) ?? 0) + 1)
  return (
    <ul className="quiet">
      {[...reasons].map(([reason, days]) => (
        <li key={reason}>
          {countWithNoun(days, 'day')} without an estimate: {reasonInWords[reason]}
        </li>
      ))}
    </ul>
  )
}

function DayNote({
  series: { points },
  history: { sources },
  day,
}: {
  series: EstimateSeries
  history: EstimateHistory
  day: string
}) {
  const point = points.find(({ date }) => date === day)
  if (!point) return notCollectedText
  const { estimate, observedAt, source } = point
  if (estimate.state === 'not-measured') return reasonInWords[estimate.reason]
  const origin = sources[source ?? -1]
  return (
    <>
      {estimateMethodInWords[estimate.method]} ({formulaInWords(estimate.version).name}).
      {origin && observedAt && ` ${origin.surface}, ${momentText(observedAt)}.`}
    </>
  )
}
