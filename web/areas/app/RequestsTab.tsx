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
          any="All statuses"
          values={requestStatuses}
          words={requestStatusInWords}
          value={status}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, status: value }) })
          }
        />
        <FilterSelect
          label="Data"
          any="All data"
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
                note="Requests of this account in all storefronts, newest first. A request does not start collection."
                actions={items.length > 0 && <RequestData kinds={[]} />}
                flush
              >
                <DataTable
                  label="Data requests"
                  rows={items}
                  rowId={({ requestId }) => requestId}
                  columns={columns}
                  minWidth={900}
                  file="data-requests"
                  empty={
                    isFiltered ? (
                      <Empty title="No requests match these filters">Remove a filter to see more.</Empty>
                    ) : (
                      <Empty title="No data requests yet" action={<RequestData kinds={['record']} />}>
                        Request missing data: the operator sees what is needed and how often.
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
    name: 'Data',
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
    name: 'Requested',
    width: 90,
    align: 'end',
    descendingFirst: true,
    cell: ({ demand }) => timesText(demand),
    value: ({ demand }) => demand,
  },
  {
    id: 'first',
    name: 'First request',
    width: 110,
    cell: ({ firstRequestedAt }) => <Moment at={firstRequestedAt} />,
    value: ({ firstRequestedAt }) => firstRequestedAt,
  },
  {
    id: 'last',
    name: 'Last request',
    width: 110,
    cell: ({ lastRequestedAt }) => <Moment at={lastRequestedAt} />,
    value: ({ lastRequestedAt }) => lastRequestedAt,
  },
  {
    id: 'end',
    name: 'Outcome',
    cell: (request) => <span title={endOf(request)}>{endOf(request)}</span>,
    csv: endOf,
  },
  {
    id: 'note',
    name: 'Note',
    cell: ({ note }) => (note === null ? <span className="quiet">none</span> : <bdi title={note}>{note}</bdi>),
    csv: ({ note }) => note,
  },
]

function endOf({ status, closedAt, dismissalReason }: DataRequest): string {
  if (status === 'open') return 'open'
  const on = closedAt ? ` on ${dayText(closedAt)}` : ''
  if (status === 'fulfilled') return `data arrived${on}`
  return `dismissed${on}: ${dismissalReason ?? 'no reason given'}`
}

const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={momentText(at)}>
    {timeAgo(at)}
  </time>
)

function Intakes({ intakes }: { intakes: readonly Intake[] }) {
  return (
    <Panel title="Adding the app" note="Unlike a data request, adding an app looks it up in the App Store.">
      {intakes.length === 0 ? (
        <p className="quiet">Not added by this account.</p>
      ) : (
        <ul className="stack gap-4">
          {intakes.map((intake) => (
            <li key={intake.intakeId}>
              <WorkProgress work={intake} name={countryName(intake.country)} />
              <p className="quiet">
                Entered as <bdi className="foreign">{intake.app}</bdi>, {timeAgo(intake.createdAt)}
                {intake.attempts > 1 && `, ${intake.attempts} attempts`}
                {intake.finishedAt && `, finished ${timeAgo(intake.finishedAt)}`}.{' '}
                {intake.failure && <strong>{addAppFailureInWords[intake.failure]}</strong>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
