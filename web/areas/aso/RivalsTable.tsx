import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { mostCompared, subjectsText } from '../../evidence/compared.ts'
import { count } from '../../evidence/format.ts'
import type { AppLabel, Country } from '../../evidence/shapes.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Empty, Panel } from '../../ui/parts.tsx'
import { Distribution } from './Distribution.tsx'
import type { Workstation, WorkstationRival } from './shapes.ts'
import { coverageText, VisibilityShare } from './WorkstationFigures.tsx'

/** The rivals of an app, measured with its keywords. */
export function RivalsTable({
  workstation,
  apps,
}: {
  workstation: Workstation
  apps: ReadonlyMap<string, AppLabel>
}) {
  const { tracked, rivals } = workstation
  const columns = useMemo(
    () => columnsOf(tracked.appId, tracked.country, apps),
    [tracked.appId, tracked.country, apps],
  )
  return (
    <Panel
      title="Competitors"
      note="On the keywords of this app"
      actions={
        rivals.length > 0 && (
          <LinkButton
            small
            to="/apps/compare"
            search={{
              country: tracked.country,
              apps: subjectsText(
                [tracked.app, ...rivals]
                  .slice(0, mostCompared)
                  .map(({ storeId }) => ({ storeId, country: tracked.country })),
              ),
            }}
          >
            Compare apps
          </LinkButton>
        )
      }
      flush
    >
      <DataTable
        label="Competitors"
        rows={rivals}
        rowId={({ appId }) => appId}
        columns={columns}
        file={`competitors-${tracked.app.storeId}-${tracked.country}`}
        empty={
          <Empty
            title="No competitors tracked in this storefront"
            action={
              <LinkButton to="/aso" search={{ country: tracked.country }}>
                Add competitor
              </LinkButton>
            }
          >
            Competitors are compared in the same search results, without extra searches.
          </Empty>
        }
      />
    </Panel>
  )
}

function columnsOf(
  appId: string,
  country: Country,
  apps: ReadonlyMap<string, AppLabel>,
): readonly Column<WorkstationRival>[] {
  const nameOf = (storeId: string) => apps.get(storeId)?.name ?? `App ${storeId}`
  const counted = (
    id: 'ahead' | 'behind' | 'neither' | 'notMeasured',
    name: string,
    heading: string,
  ): Column<WorkstationRival> => ({
    id,
    name,
    heading,
    width: 92,
    align: 'end',
    descendingFirst: true,
    value: (rival) => rival[id],
    cell: (rival) => count(rival[id]),
  })
  return [
    {
      id: 'rival',
      name: 'Competitor',
      width: 210,
      value: ({ storeId }) => nameOf(storeId),
      cell: ({ appId: rivalId, storeId }) => (
        <Link to="/aso/$appId" params={{ appId: rivalId }} search={{ country }} className="line fits">
          <AppIcon url={apps.get(storeId)?.iconUrl} name={nameOf(storeId)} size={24} />
          <bdi className="cut">{nameOf(storeId)}</bdi>
        </Link>
      ),
    },
    {
      id: 'visibility',
      name: 'Visibility',
      width: 190,
      align: 'end',
      descendingFirst: true,
      value: ({ visibility: { share } }) => (share.state === 'estimated' ? share.value : null),
      cell: ({ visibility }) => (
        <>
          <VisibilityShare visibility={visibility} />
          <span className={visibility.measured < visibility.keywords ? 'quiet small' : 'hidden'}>
            {' '}
            {coverageText(visibility)}
          </span>
        </>
      ),
    },
    {
      id: 'coverage',
      name: 'Keywords with data',
      fileOnly: true,
      csv: ({ visibility }) => coverageText(visibility),
      cell: () => null,
    },
    {
      id: 'distribution',
      name: 'Top 3, top 10, top 50',
      width: 160,
      csv: ({ distribution: { top3, top10, top50 } }) => `${top3} / ${top10} / ${top50}`,
      cell: ({ distribution }) => <Distribution distribution={distribution} />,
    },
    counted('ahead', 'Keywords ahead of this app', 'Ahead'),
    counted('behind', 'Keywords behind this app', 'Behind'),
    counted('neither', 'Keywords where neither ranks', 'Neither ranks'),
    counted('notMeasured', 'Keywords without data', 'No data'),
    {
      id: 'gap',
      name: 'Gap',
      width: 60,
      cell: ({ storeId }) => (
        <Link to="/aso/$appId/gap/$rivalStoreId" params={{ appId, rivalStoreId: storeId }} search={{ country }}>
          Gap<span className="hidden"> to {nameOf(storeId)}</span>
        </Link>
      ),
    },
  ]
}
