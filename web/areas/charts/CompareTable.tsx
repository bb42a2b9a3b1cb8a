import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { RankValue } from '../../evidence/Fact.tsx'
import { dayText } from '../../evidence/format.ts'
import type { Rank } from '../../evidence/shapes.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/parts.tsx'
import { sortOf, sortText } from '../../ui/table-sort.ts'
import { ChartApp } from './ChartFrame.tsx'
import type { Chart, Snapshot } from './chart-search.ts'
import { MoveValue } from './MoveValue.tsx'
import type { Move } from './snapshots.ts'

/** The same comparison as a table that can be sorted and saved. */
export function CompareTable({
  chart,
  before,
  after,
  moves,
  sort,
}: {
  chart: Chart
  before: Snapshot
  after: Snapshot
  moves: readonly Move[]
  sort: string | undefined
}) {
  const navigate = useNavigate({ from: '/charts/compare' })
  const columns = useMemo(() => columnsOf(before, after), [before, after])
  return (
    <DataTable
      label="Places on both days"
      rows={moves}
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
      empty={<Empty title="No app did that between these days" />}
      file={`${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${before.date}-${after.date}`}
      minWidth={620}
    />
  )
}

const measured = (rank: Rank) => (rank.state === 'measured' ? rank.value : null)
const written = (rank: Rank) => (rank.state === 'measured' ? rank.value : rank.state)

function columnsOf(before: Snapshot, after: Snapshot): Column<Move>[] {
  return [
    {
      id: 'app',
      name: 'App',
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ app }) => <ChartApp app={app} />,
    },
    { id: 'storeId', name: 'App id', fileOnly: true, value: ({ app }) => app.storeId, cell: () => null },
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
      width: 105,
      value: (move) => measured(move.before),
      csv: (move) => written(move.before),
      cell: (move) => <RankValue rank={move.before} evidence={before.evidence} />,
    },
    {
      id: 'after',
      name: dayText(after.date),
      align: 'end',
      width: 105,
      value: (move) => measured(move.after),
      csv: (move) => written(move.after),
      cell: (move) => <RankValue rank={move.after} evidence={after.evidence} />,
    },
    {
      id: 'change',
      name: 'Movement',
      width: 105,
      descendingFirst: true,
      value: ({ change }) => change,
      csv: ({ change, kind }) => change ?? kind,
      cell: (move) => <MoveValue move={move} since={before.date} />,
    },
  ]
}
