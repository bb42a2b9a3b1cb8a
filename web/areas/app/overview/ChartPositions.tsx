import { Link } from '@tanstack/react-router'
import { RankValue } from '../../../evidence/Fact.tsx'
import { timeAgo } from '../../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../../evidence/words.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Empty, Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-of-page.ts'

/** Where the app stands now, chart by chart. */
export function ChartPositions({ record }: { record: AppRecord }) {
  const { storeId, chartPositions } = record
  return (
    <Panel
      title="Chart ranks"
      note="Latest rank in each chart that has listed the app"
      flush
      actions={
        <LinkButton small to="/apps/$storeId/ranks" params={{ storeId }}>
          Ranks over time
        </LinkButton>
      }
    >
      <DataTable
        label="Chart ranks"
        rows={chartPositions}
        rowId={({ chart, categoryId, device }) => `${chart} ${categoryId} ${device}`}
        columns={[
          {
            id: 'chart',
            name: 'Chart',
            value: ({ chart }) => chartInWords[chart],
            cell: ({ chart, categoryId, device }) => (
              <Link
                to="/apps/$storeId/ranks"
                params={{ storeId }}
                search={{
                  charts: chart,
                  categoryId,
                  ...(device === 'ipad' ? { device } : {}),
                }}
              >
                {chartInWords[chart]}
              </Link>
            ),
          },
          {
            id: 'rank',
            name: 'Rank',
            align: 'end',
            width: 116,
            value: ({ rank }) => (rank.state === 'measured' ? rank.value : null),
            cell: ({ rank, evidence }) => <RankValue rank={rank} evidence={evidence} />,
          },
          {
            id: 'category',
            name: 'Category',
            value: ({ categoryName }) => categoryName,
            cell: ({ categoryName }) => categoryName,
          },
          {
            id: 'device',
            name: 'Device',
            width: 84,
            value: ({ device }) => deviceInWords[device],
            cell: ({ device }) => deviceInWords[device],
          },
          {
            id: 'captured',
            name: 'Updated',
            align: 'end',
            width: 120,
            value: ({ evidence }) => evidence.observedAt,
            cell: ({ evidence }) => timeAgo(evidence.observedAt),
          },
        ]}
        empty={
          <Empty title="Not ranked in any collected chart of this storefront">
            Ranks over time shows which charts were collected.
          </Empty>
        }
      />
    </Panel>
  )
}
