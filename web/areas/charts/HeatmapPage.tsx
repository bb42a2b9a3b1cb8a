import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { isNotFound } from '../../api/problems.ts'
import { readTogether } from '../../api/read-together.ts'
import { useCountry } from '../../evidence/country.ts'
import { daysUntil } from '../../evidence/days.ts'
import { count, dayText, momentText } from '../../evidence/format.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { saveCsv } from '../../ui/csv.ts'
import { Download, RotateCw } from '../../ui/icons.ts'
import { Filters, Page, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AppLine } from './AppLine.tsx'
import { ChartChoice, ChartLoaded, ChartNavigation, chartName } from './ChartFrame.tsx'
import { type Chart, chartOfSearch, type Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { DayChoice } from './DayChoice.tsx'
import { HeatLegend, Heatmap } from './Heatmap.tsx'
import { csvOfCell, type HeatmapDay, heatRows } from './heatmap.ts'
import { saveHeatmapPng } from './heatmap-png.ts'
import { heatmapDepths } from './views.ts'

const daysShown = 30
/** Places read of each day. */
const limit = 100

/** The best apps of a chart over a month: one colour and number for each app and day. */
export function HeatmapPage() {
  const search = useSearch({ from: '/charts/heatmap' })
  const navigate = useNavigate({ from: '/charts/heatmap' })
  const country = useCountry()
  const chart = chartOfSearch(search, country)
  const { to } = search
  const newest = useQuery(readTogether('get_apple_charts', { ...chart, ...(to && { date: to }), limit }))
  return (
    <Page title="Heat map" subtitle={`${chartName(chart, newest.data)} over ${daysShown} days`}>
      <ChartNavigation search={search} />
      <Filters label="Which chart">
        <ChartChoice {...chart} />
        <DayChoice
          label="Last day"
          day={to ?? newest.data?.date}
          isNewest={!to}
          step={daysShown}
          onChoose={(day) =>
            void navigate({ search: (old) => compactSearch({ ...old, to: day }), resetScroll: false })
          }
        />
      </Filters>
      <ChartLoaded
        query={newest}
        chart={chart}
        skeleton={<Skeleton height={760} />}
        newest={
          to && (
            <LinkButton from="/charts/heatmap" to="/charts/heatmap" search={({ to: _, ...others }) => others}>
              End with the newest snapshot
            </LinkButton>
          )
        }
      >
        {(snapshot) => <Month chart={chart} newest={snapshot} />}
      </ChartLoaded>
    </Page>
  )
}

function Month({ chart, newest }: { chart: Chart; newest: Snapshot }) {
  const { app, span, top = '50' } = useSearch({ from: '/charts/heatmap' })
  const navigate = useNavigate({ from: '/charts/heatmap' })
  const dates = useMemo(() => daysUntil(newest.date, daysShown), [newest.date])
  const { days, again } = useDays(chart, newest, dates)
  // Days may arrive faster than thousands of cells are drawn: then some are drawn together.
  const drawn = useDeferredValue(days)
  const rows = useMemo(() => heatRows(newest, Number(top), drawn), [newest, top, drawn])
  const isLoading = drawn.includes('loading')
  const title = `${chartName(chart, newest)}, ${dayText(dates[0] ?? '')} to ${dayText(newest.date)}`
  const file = `${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${newest.date}-heat-map`
  const source = `${newest.evidence.surface} (${newest.evidence.source}), last captured ${momentText(newest.capturedAt)}`
  return (
    <>
      <SourceIssues trouble={newest.trouble} />
      <div className={app ? styles.beside : ''}>
        <Panel
          title={`The best ${count(rows.length)} of ${dayText(newest.date)}, day by day`}
          actions={
            <>
              <Segments
                label="Apps"
                labelHidden
                segments={heatmapDepths.map((id) => ({ id, name: `Top ${id}` }))}
                value={top}
                onChange={(value) =>
                  void navigate({
                    search: (old) => ({ ...old, top: value }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
              <Button
                small
                look="bare"
                icon={<Download size={13} aria-hidden="true" />}
                isDisabled={isLoading}
                onPress={() =>
                  saveCsv(
                    `${file}.csv`,
                    ['App', 'App id', ...dates],
                    rows.map((row) => [row.app.name, row.app.storeId, ...row.cells.map(csvOfCell)]),
                  )
                }
              >
                CSV
              </Button>
              <Button
                small
                look="bare"
                icon={<Download size={13} aria-hidden="true" />}
                isDisabled={isLoading}
                onPress={() => saveHeatmapPng(file, title, source, dates, rows)}
              >
                PNG
              </Button>
            </>
          }
          flush
        >
          <div className="row between gap-5 rows-2 pad">
            <HeatLegend depth={Math.min(limit, newest.items.length)} />
            <Progress days={days} again={again} />
          </div>
          <Heatmap label={`Ranks by day. ${title}`} dates={dates} days={drawn} rows={rows} />
        </Panel>
        {app && (
          <div data-first>
            <AppLine chart={chart} storeId={app} until={newest.date} span={span} />
          </div>
        )}
      </div>
    </>
  )
}

/** Every day of the month, asked for together. */
function useDays(chart: Chart, newest: Snapshot, dates: readonly string[]) {
  const results = useQueries({
    // An old day does not change; what arrives late is told by the markers of api/live.ts.
    queries: dates.slice(0, -1).map((date) => ({
      ...readTogether('get_apple_charts', { ...chart, date, limit }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const failed = results.filter(({ error }) => error && !isNotFound(error))
  return {
    days: useStable([...results.map(({ data, error }) => dayOf(data, error)), newest]),
    again: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}

/** The same list as long as its parts are the same, so that what is made of it is made once. */
function useStable<Value>(list: Value[]): Value[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: its parts are the dependencies, always as many
  return useMemo(() => list, list)
}

function dayOf(snapshot: Snapshot | undefined, error: Error | null | undefined): HeatmapDay {
  if (snapshot) return snapshot
  if (!error) return 'loading'
  return isNotFound(error) ? 'gap' : 'failed'
}

/** Progress of loading the days. It stays visible afterwards, so that the layout does not move. */
function Progress({ days, again }: { days: readonly HeatmapDay[]; again: () => void }) {
  const number = (kind: HeatmapDay) => days.filter((day) => day === kind).length
  const [loading, failed, gaps] = [number('loading'), number('failed'), number('gap')]
  return (
    <p className="row gap-3 quiet small" style={{ minHeight: 26 }} role="status">
      <progress
        style={{ width: 120, height: 6, accentColor: 'var(--accent-fill)' }}
        aria-label="Days read"
        max={days.length}
        value={days.length - loading}
      />
      {count(days.length - loading)} of {count(days.length)} days read
      {gaps > 0 && `, ${count(gaps)} without a snapshot`}
      {failed > 0 && `, ${count(failed)} could not be read`}
      {failed > 0 && loading === 0 && (
        <Button small icon={<RotateCw size={13} aria-hidden="true" />} onPress={again}>
          Try again
        </Button>
      )}
    </p>
  )
}
