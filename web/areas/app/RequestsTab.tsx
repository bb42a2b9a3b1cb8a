import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReplyOf } from '../../api/operations.ts'
import { countryName, dayText, momentText, timeAgo } from '../../evidence/format.ts'
import type { DataRequest } from '../../evidence/shapes.ts'
import { addAppFailureInWords, dataKindInWords, dataKinds } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { Badge, Empty, Filters, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { useAppOfPage } from './app-of-page.ts'
import { requestStatuses, requestStatusInWords } from './choices.ts'
import { RequestData, timesText } from './RequestData.tsx'
import { requestsQueryOf } from './tab-reads.ts'

type Intake = ReplyOf<'list_competitor_data_requests'>['intakes'][number]

/** What this account asked for about the app, how it ended, and how the app was taken in. */
export function RequestsTab() {
  const { storeId } = useAppOfPage()
  const { status, kind } = useSearch({ from: '/apps/$storeId/requests' })
  const navigate = useNavigate({ from: '/apps/$storeId/requests' })
  const requests = useInfiniteQuery({
    ...requestsQueryOf(storeId, { status, kind }),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.intakes.some(isUnderWay) ? 1_500 : false),
  })
  const isFiltered = status !== undefined || kind !== undefined
  return (
    <>
      <Filters>
        <FilterSelect
          label="Status"
          any="Any status"
          values={requestStatuses}
          words={requestStatusInWords}
          value={status}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, status: value }) })
          }
        />
        <FilterSelect
          label="Kind"
          any="Any kind"
          values={dataKinds}
          words={dataKindInWords}
          value={kind}
          onChange={(value) => void navigate({ search: (search) => compactSearch({ ...search, kind: value }) })}
        />
      </Filters>
      <Loaded query={requests} skeleton={<Skeleton height={280} />}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          return (
            <>
              <Panel
                title="Data requests"
                note="What this account asked for, in every storefront, the newest first. Asking stores demand and never starts collection."
                actions={items.length > 0 && <RequestData kinds={[]} />}
                flush
              >
                <DataTable
                  label="Requests of this account"
                  rows={items}
                  rowId={({ requestId }) => requestId}
                  columns={columns}
                  minWidth={900}
                  file="data-requests"
                  empty={
                    isFiltered ? (
                      <Empty title="No request fits these filters">Choose any status and any kind.</Empty>
                    ) : (
                      <Empty title="Nothing was asked for yet" action={<RequestData kinds={['record']} />}>
                        Ask for what is missing. The operator sees what is wanted and how often.
                      </Empty>
                    )
                  }
                />
                <MorePages query={requests} shown={items.length} />
              </Panel>
              <Intakes intakes={pages[0]?.intakes ?? []} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

const columns: readonly Column<DataRequest>[] = [
  {
    id: 'kind',
    name: 'Kind',
    width: 160,
    cell: ({ kind }) => dataKindInWords[kind],
    value: ({ kind }) => dataKindInWords[kind],
  },
  {
    id: 'country',
    name: 'Storefront',
    width: 120,
    cell: ({ country }) => countryName(country),
    value: ({ country }) => countryName(country),
  },
  {
    id: 'status',
    name: 'Status',
    width: 95,
    cell: ({ status }) => (
      <Badge tone={status === 'open' ? 'accent' : status === 'fulfilled' ? 'good' : 'warn'}>
        {requestStatusInWords[status]}
      </Badge>
    ),
    value: ({ status }) => requestStatusInWords[status],
  },
  {
    id: 'demand',
    name: 'Asked',
    width: 90,
    align: 'end',
    descendingFirst: true,
    cell: ({ demand }) => timesText(demand),
    value: ({ demand }) => demand,
  },
  {
    id: 'first',
    name: 'First asked',
    width: 110,
    cell: ({ firstRequestedAt }) => <Moment at={firstRequestedAt} />,
    value: ({ firstRequestedAt }) => firstRequestedAt,
  },
  {
    id: 'last',
    name: 'Last asked',
    width: 110,
    cell: ({ lastRequestedAt }) => <Moment at={lastRequestedAt} />,
    value: ({ lastRequestedAt }) => lastRequestedAt,
  },
  {
    id: 'end',
    name: 'How it ended',
    cell: (request) => <span title={endOf(request)}>{endOf(request)}</span>,
    csv: endOf,
  },
  {
    id: 'note',
    name: 'Note',
    cell: ({ note }) =>
      note === null ? <span className="quiet">no note</span> : <bdi title={note}>{note}</bdi>,
    csv: ({ note }) => note,
  },
]

function endOf({ status, closedAt, dismissalReason }: DataRequest): string {
  if (status === 'open') return 'still open'
  const on = closedAt ? ` on ${dayText(closedAt)}` : ''
  if (status === 'fulfilled') return `evidence arrived${on}`
  return `dismissed${on}: ${dismissalReason ?? 'no reason given'}`
}

const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={momentText(at)}>
    {timeAgo(at)}
  </time>
)

function Intakes({ intakes }: { intakes: readonly Intake[] }) {
  return (
    <Panel
      title="Intakes"
      note="Unlike a data request, an intake collects: it looks the app up in the App Store."
    >
      {intakes.length === 0 ? (
        <p className="quiet">This account has not asked to take this app in.</p>
      ) : (
        <ul className="stack gap-4">
          {intakes.map((intake) => (
            <li key={intake.intakeId}>
              <WorkProgress work={intake} name={countryName(intake.country)} />
              <p className="quiet">
                Asked as <bdi className="foreign">{intake.app}</bdi> {timeAgo(intake.createdAt)}
                {intake.attempts > 1 && `, ${intake.attempts} attempts`}
                {intake.finishedAt && `, ended ${timeAgo(intake.finishedAt)}`}.{' '}
                {intake.failure && <strong>{addAppFailureInWords[intake.failure]}</strong>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
