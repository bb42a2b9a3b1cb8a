import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import { addDays } from '../../evidence/days.ts'
import { RankValue } from '../../evidence/Fact.tsx'
import { count, dayText } from '../../evidence/format.ts'
import type { Rank } from '../../evidence/shapes.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Empty, Filters, Page, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import { AppLine } from './AppLine.tsx'
import { ChartApp, ChartChoice, ChartLoaded, ChartNavigation, chartName } from './ChartFrame.tsx'
import { type Chart, chartOfSearch, type Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { DayChoice } from './DayChoice.tsx'
import { MoveValue } from './MoveValue.tsx'
import { Slope } from './Slope.tsx'
import { compareSnapshots, rankInFile, type SnapshotMove } from './snapshots.ts'
import { type CompareFilter, compareDepths, compareFilters } from './views.ts'

/** Days between the two days unless an address says otherwise. */
const usualDistance = 7

/** Two days of a chart side by side: who climbed, fell, came in and left. */
export function ComparePage() {
  const search = useSearch({ from: '/charts/compare' })
  const navigate = useNavigate({ from: '/charts/compare' })
  const country = useCountry()
  const chart = chartOfSearch(search, country)
  const { to } = search
  const after = useQuery(read('get_apple_charts', { ...chart, ...(to && { date: to }) }))
  const last = to ?? after.data?.date
  const from = search.from ?? (last && addDays(last, -usualDistance))
  const before = useQuery({
    ...read('get_apple_charts', { ...chart, date: from ?? '' }),
    enabled: from !== undefined,
  })
  const choose = (next: { from?: string | undefined; to?: string | undefined }) =>
    void navigate({ search: (old) => compactSearch({ ...old, ...next }), resetScroll: false })
  const skeleton = <Skeleton height={760} />
  const usual = (
    <LinkButton from="/charts/compare" to="/charts/compare" search={({ to: _, from: __, ...others }) => others}>
      Compare the latest day with a week earlier
    </LinkButton>
  )
  return (
    <Page title="Compare days" subtitle={chartName(chart, after.data)}>
      <ChartNavigation search={search} />
      <Filters label="Chart and days">
        <ChartChoice {...chart} />
        <DayChoice
          label="Earlier day"
          day={from}
          isNewest={last !== undefined && from !== undefined && addDays(from, 1) >= last}
          onChoose={(day) => choose({ from: day })}
        />
        <DayChoice
          label="Later day"
          day={last}
          isNewest={!to}
          onChoose={(day) => choose({ to: day, from: search.from ?? from })}
        />
      </Filters>
      <ChartLoaded query={after} chart={chart} skeleton={skeleton} newest={to && usual}>
        {(later) => (
          <ChartLoaded query={before} chart={chart} skeleton={skeleton} newest={usual}>
            {(earlier) => <Both chart={chart} before={earlier} after={later} />}
          </ChartLoaded>
        )}
      </ChartLoaded>
    </Page>
  )
}

const showInWords: Record<CompareFilter, string> = {
  climbed: 'Climbed',
  fell: 'Fell',
  entered: 'Entered',
  left: 'Dropped out',
}

function Both({ chart, before, after }: { chart: Chart; before: Snapshot; after: Snapshot }) {
  const { app, span, show, view, sort, top = '50' } = useSearch({ from: '/charts/compare' })
  const navigate = useNavigate({ from: '/charts/compare' })
  const moves = useMemo(() => compareSnapshots(before, after), [before, after])
  const isChosen = useCallback(({ kind }: SnapshotMove) => show === undefined || kind === show, [show])
  const number = (kind: CompareFilter) => count(moves.filter((move) => move.kind === kind).length)
  return (
    <>
      <SourceIssues trouble={after.trouble} />
      <div className="row between gap-3" data-screen-only>
        <Segments
          label="Show"
          labelHidden
          segments={[
            { id: 'all', name: 'All', note: count(moves.length) },
            ...compareFilters.map((id) => ({ id, name: showInWords[id], note: number(id) })),
          ]}
          value={show ?? 'all'}
          onChange={(value) =>
            void navigate({
              search: (old) => compactSearch({ ...old, show: value === 'all' ? undefined : value }),
              resetScroll: false,
            })
          }
        />
        <Segments
          label="View"
          labelHidden
          segments={[
            { id: 'picture', name: 'Chart' },
            { id: 'table', name: 'Table' },
          ]}
          value={view ?? 'picture'}
          onChange={(value) =>
            void navigate({
              search: (old) => compactSearch({ ...old, view: value === 'table' ? value : undefined }),
              resetScroll: false,
            })
          }
        />
      </div>
      <div className={app ? styles.beside : ''}>
        <Panel
          title={`${dayText(before.date)} vs ${dayText(after.date)}`}
          note={`${count(before.returned)} and ${count(after.returned)} ranks, ${before.evidence.surface}${before.evidence.surface === after.evidence.surface ? '' : ` and ${after.evidence.surface}`}`}
          actions={
            view !== 'table' && (
              <Segments
                label="Depth"
                labelHidden
                segments={compareDepths
                  .filter((_, index) => index === 0 || Number(compareDepths[index - 1]) < after.items.length)
                  .map((id) => ({ id, name: `Top ${id}` }))}
                value={top}
                onChange={(value) =>
                  void navigate({
                    search: (old) => ({ ...old, top: value }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
            )
          }
          flush
        >
          {view === 'table' ? (
            <CompareTable
              chart={chart}
              before={before}
              after={after}
              moves={moves.filter(isChosen)}
              sort={sort}
            />
          ) : (
            <Slope before={before} after={after} moves={moves} top={Number(top)} isChosen={isChosen} />
          )}
        </Panel>
        {app && (
          <div data-first>
            <AppLine chart={chart} storeId={app} until={after.date} span={span} />
          </div>
        )}
      </div>
    </>
  )
}

/** The same comparison as a table that can be sorted and saved. */
function CompareTable({
  chart,
  before,
  after,
  moves,
  sort,
}: {
  chart: Chart
  before: Snapshot
  after: Snapshot
  moves: readonly SnapshotMove[]
  sort: string | undefined
}) {
  const navigate = useNavigate({ from: '/charts/compare' })
  const columns = useMemo(() => columnsOf(before, after), [before, after])
  return (
    <DataTable
      label="Ranks on both days"
      rows={moves}
      rowId={({ app }) => app.storeId}
      columns={columns}
      sort={parseTableSort(sort)}
      onSort={(next) =>
        void navigate({
          search: ({ sort: _, ...search }) => ({
            ...search,
            ...(next && { sort: tableSortText(next) }),
          }),
          replace: true,
          resetScroll: false,
        })
      }
      onOpen={({ app }) =>
        void navigate({ search: (search) => ({ ...search, app: app.storeId }), resetScroll: false })
      }
      empty={<Empty title="No apps in this group" />}
      file={`${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${before.date}-${after.date}`}
      minWidth={620}
    />
  )
}

const measured = (rank: Rank) => (rank.state === 'measured' ? rank.value : null)

function columnsOf(before: Snapshot, after: Snapshot): Column<SnapshotMove>[] {
  return [
    {
      id: 'app',
      name: 'App',
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ app }) => <ChartApp app={app} />,
    },
    { id: 'storeId', name: 'App ID', fileOnly: true, value: ({ app }) => app.storeId, cell: () => null },
    {
      id: 'developer',
      name: 'Developer',
      width: 130,
      value: ({ app }) => app.developer,
      cell: ({ app }) => <bdi className="quiet">{app.developer}</bdi>,
    },
    {
      id: 'before',
      name: dayText(before.date),
      align: 'end',
      width: 116,
      value: (move) => measured(move.before),
      csv: (move) => rankInFile(move.before),
      cell: (move) => <RankValue rank={move.before} evidence={before.evidence} />,
    },
    {
      id: 'after',
      name: dayText(after.date),
      align: 'end',
      width: 116,
      value: (move) => measured(move.after),
      csv: (move) => rankInFile(move.after),
      cell: (move) => <RankValue rank={move.after} evidence={after.evidence} />,
    },
    {
      id: 'change',
      name: 'Rank change',
      heading: 'Change',
      width: 105,
      descendingFirst: true,
      value: ({ change }) => change,
      csv: ({ change, kind }) => change ?? (kind === 'left' ? 'out' : kind === 'unclear' ? 'unknown' : kind),
      cell: (move) => <MoveValue move={move} since={before.date} />,
    },
  ]
}
