import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Measured, RankValue } from '../../evidence/Fact.tsx'
import { count } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { chartInWords, roleInWords } from '../../evidence/words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import { sortOf, sortText } from '../../ui/table-sort.ts'
import { ChartApp } from './ChartFrame.tsx'
import type { Chart, Entry, Snapshot } from './chart-search.ts'
import { EntryValue } from './EntryValue.tsx'
import type { EntryShow } from './views.ts'

/** The places of a snapshot. A row opens the line of its app. */
export function ChartTable({
  chart,
  snapshot,
  entries,
  show,
  sort,
  tracked,
}: {
  chart: Chart
  snapshot: Snapshot
  entries: readonly Entry[]
  show: EntryShow | undefined
  sort: string | undefined
  tracked: ReadonlyMap<string, TrackedAppSummary>
}) {
  const navigate = useNavigate({ from: '/charts' })
  const columns = useMemo(() => columnsOf(snapshot, tracked), [snapshot, tracked])
  return (
    <Panel title={`${chartInWords[chart.chart]}, ${snapshot.categoryName}`} flush>
      <DataTable
        label="Places of the chart"
        rows={entries}
        rowId={({ app }) => app.storeId}
        columns={columns}
        sort={sortOf(sort)}
        onSort={(next) =>
          void navigate({
            search: ({ sort: _, ...search }) => ({
              ...search,
              ...(next && { sort: sortText(next) }),
            }),
            replace: true,
            resetScroll: false,
          })
        }
        onOpen={({ app }) =>
          void navigate({ search: (search) => ({ ...search, app: app.storeId }), resetScroll: false })
        }
        empty={<Empty title={emptyInWords[show ?? 'all']} />}
        file={`${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${snapshot.date}`}
        minWidth={560}
      />
    </Panel>
  )
}

const emptyInWords: Record<EntryShow | 'all', string> = {
  all: 'Apple returned an empty chart',
  new: 'No app is in this chart for the first time',
  returning: 'No app has come back',
  moves: 'No app changed its place',
  tracked: 'None of the apps you track is in this chart',
}

function columnsOf(
  { evidence, previousEvidence, previousCapturedAt }: Snapshot,
  tracked: ReadonlyMap<string, TrackedAppSummary>,
): Column<Entry>[] {
  return [
    {
      id: 'rank',
      name: 'Rank',
      align: 'end',
      width: 60,
      value: ({ rank }) => rank,
      cell: ({ rank }) => <Measured evidence={evidence}>{count(rank)}</Measured>,
    },
    {
      id: 'app',
      name: 'App',
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ app }) => {
        const role = tracked.get(app.storeId)?.role
        return (
          <span className="row nowrap shrinks">
            <ChartApp app={app} />
            {role && <Badge tone="accent">{roleInWords[role]}</Badge>}
          </span>
        )
      },
    },
    { id: 'storeId', name: 'App id', fileOnly: true, value: ({ app }) => app.storeId, cell: () => null },
    {
      id: 'movement',
      name: 'Movement',
      width: 110,
      descendingFirst: true,
      value: ({ change }) => change,
      csv: ({ entry, change }) => (change === null ? entry : change),
      cell: (entry) => <EntryValue entry={entry} comparedAt={previousCapturedAt} />,
    },
    {
      id: 'before',
      name: 'Rank before',
      heading: 'Before',
      align: 'end',
      width: 80,
      value: ({ previousRank }) => (previousRank.state === 'measured' ? previousRank.value : null),
      csv: ({ previousRank }) => (previousRank.state === 'measured' ? previousRank.value : previousRank.state),
      cell: ({ previousRank }) => <RankValue rank={previousRank} evidence={previousEvidence ?? undefined} />,
    },
    {
      id: 'developer',
      name: 'Developer',
      width: 140,
      value: ({ app }) => app.developer,
      cell: ({ app }) => <bdi className="quiet">{app.developer}</bdi>,
    },
    {
      id: 'role',
      name: 'Tracked as',
      fileOnly: true,
      value: ({ app }) => tracked.get(app.storeId)?.role ?? null,
      cell: () => null,
    },
  ]
}
