import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCountry } from '../../evidence/country.ts'
import { count, dayText, momentText, spanText } from '../../evidence/format.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { saveCsv } from '../../ui/csv.ts'
import { Download } from '../../ui/icons.ts'
import { Filters, Loaded, Page, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AppLine } from './AppLine.tsx'
import { ChartChoice, ChartLoaded, ChartNavigation, chartName } from './ChartFrame.tsx'
import { type ChartRanks, chartRanks, newestOfMonth } from './chart-ranks.ts'
import { type Chart, chartOfSearch, type Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { DayChoice } from './DayChoice.tsx'
import { HeatLegend, Heatmap } from './Heatmap.tsx'
import { csvOfCell, heatRows } from './heatmap.ts'
import { saveHeatmapPng } from './heatmap-png.ts'
import { heatmapDepths } from './views.ts'

const daysShown = 30

/** The best apps of a chart over a month: one colour and number for each app and day. */
export function HeatmapPage() {
  const search = useSearch({ from: '/charts/heatmap' })
  const navigate = useNavigate({ from: '/charts/heatmap' })
  const country = useCountry()
  const chart = chartOfSearch(search, country)
  const { to } = search
  const newest = useQuery(newestOfMonth(chart, to))
  const month = useQuery(chartRanks(chart, to))
  return (
    <Page title="Heat map" subtitle={`${chartName(chart, newest.data)} · ${daysShown} days`}>
      <ChartNavigation search={search} />
      <Filters label="Chart selection">
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
              Show the latest days
            </LinkButton>
          )
        }
      >
        {(snapshot) => (
          <Loaded query={month} skeleton={<Skeleton height={760} />}>
            {(ranks) => <Month chart={chart} newest={snapshot} month={ranks} />}
          </Loaded>
        )}
      </ChartLoaded>
    </Page>
  )
}

function Month({ chart, newest, month }: { chart: Chart; newest: Snapshot; month: ChartRanks }) {
  const { app, span, top = '50' } = useSearch({ from: '/charts/heatmap' })
  const navigate = useNavigate({ from: '/charts/heatmap' })
  const dates = month.days.map(({ date }) => date)
  const rows = useMemo(() => heatRows(newest, Number(top), month), [newest, top, month])
  const gaps = month.days.filter(({ capture }) => capture === null).length
  const title = `${chartName(chart, newest)}, ${spanText(dates[0] ?? newest.date, newest.date)}`
  const file = `${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${newest.date}-heat-map`
  const source = `${newest.evidence.surface} (${newest.evidence.source}), last collected ${momentText(newest.capturedAt)}`
  return (
    <>
      <SourceIssues trouble={newest.trouble} />
      <div className={app ? styles.beside : ''}>
        <Panel
          title={`Top ${count(rows.length)} on ${dayText(newest.date)}, by day`}
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
                onPress={() =>
                  saveCsv(
                    `${file}.csv`,
                    ['App', 'App ID', ...dates],
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
                onPress={() => saveHeatmapPng(file, title, source, dates, rows)}
              >
                PNG
              </Button>
            </>
          }
          flush
        >
          <div className="row between gap-5 rows-2 pad">
            <HeatLegend depth={newest.items.length} />
            <p className="quiet small">
              {count(dates.length - gaps)} of {count(dates.length)} days collected
            </p>
          </div>
          <Heatmap label={`Ranks by day. ${title}`} month={month} rows={rows} />
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
