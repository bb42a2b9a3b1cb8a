import { useQuery } from '@tanstack/react-query'
import { type SourceName, surfaces } from '../../../src/vocabulary/provenance.ts'
import { read } from '../../api/operations.ts'
import { count, countryName, dayText, momentText, timeAgo } from '../../evidence/format.ts'
import { adPlatformInWords, chartInWords, deviceInWords } from '../../evidence/words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './admin.module.css'
import { type FailingChart, type SourceHealth, sourceHealth } from './operating.ts'

/** The health of every source in every storefront, charts that fail, and ad libraries. */
export function SourcesTab() {
  const query = useQuery(sourceHealth)
  return (
    <>
      <Loaded query={query} skeleton={<Skeleton height={320} />}>
        {({ sources, charts }) => (
          <>
            <Panel
              title="Sources by storefront"
              note={
                sources.length === 0
                  ? undefined
                  : `${count(sources.filter((one) => stateOf(one) !== 'well').length)} of ${count(sources.length)} in trouble. Those come first.`
              }
              flush
            >
              <DataTable
                label="Sources by storefront"
                rows={sources}
                rowId={({ source, country }) => `${source} ${country}`}
                columns={columns}
                minWidth={860}
                file="sources"
                empty={
                  <Empty title="No source was asked yet">
                    Sources stand here once something was collected, or a request asked one.
                  </Empty>
                }
              />
            </Panel>
            {charts.length > 0 && <FailingCharts charts={charts} />}
          </>
        )}
      </Loaded>
      <AdLibraries />
    </>
  )
}

const states = {
  failing: { name: 'Failing', tone: 'bad' },
  suspect: { name: 'Suspect', tone: 'warn' },
  differs: { name: 'Other form', tone: 'warn' },
  well: { name: 'Well', tone: 'good' },
} as const

function stateOf({ failingSince, suspects, shorts, differences }: SourceHealth): keyof typeof states {
  if (failingSince !== null) return 'failing'
  return suspects + shorts > 0 ? 'suspect' : differences !== null ? 'differs' : 'well'
}

/** What is wrong with a source, in a sentence; empty where it is well. */
function troubleOf({
  failingSince,
  failures,
  failureMessage,
  suspects,
  suspectSince,
  shorts,
  shortSince,
  differences,
  differsSince,
}: SourceHealth): string {
  const told: string[] = []
  if (failingSince)
    told.push(`${count(failures)} in a row since ${momentText(failingSince)}: ${failureMessage ?? 'no answer'}`)
  if (suspects > 0 && suspectSince)
    told.push(
      `${count(suspects)} answer with nothing where there was something, since ${momentText(suspectSince)}`,
    )
  if (shorts > 0 && shortSince)
    told.push(`${count(shorts)} answer with far less than before, since ${momentText(shortSince)}`)
  if (differences !== null && differsSince)
    told.push(`another form since ${momentText(differsSince)}: ${differences}`)
  return told.join('; ')
}

const sourceName = (source: string): string => surfaces[source as SourceName] ?? source

const columns: readonly Column<SourceHealth>[] = [
  {
    id: 'state',
    name: 'State',
    width: 110,
    cell: (one) => <Badge tone={states[stateOf(one)].tone}>{states[stateOf(one)].name}</Badge>,
    value: (one) => states[stateOf(one)].name,
  },
  {
    id: 'source',
    name: 'Source',
    width: 250,
    cell: ({ source }) => sourceName(source),
    value: ({ source }) => sourceName(source),
  },
  {
    id: 'country',
    name: 'Storefront',
    width: 150,
    cell: ({ country }) => storefrontName(country),
    value: ({ country }) => storefrontName(country),
  },
  {
    id: 'answer',
    name: 'Last answer',
    width: 130,
    descendingFirst: true,
    cell: ({ lastSuccessAt }) =>
      lastSuccessAt ? (
        <time dateTime={lastSuccessAt} title={momentText(lastSuccessAt)}>
          {timeAgo(lastSuccessAt)}
        </time>
      ) : (
        <span className="quiet">never</span>
      ),
    value: ({ lastSuccessAt }) => lastSuccessAt,
  },
  {
    id: 'trouble',
    name: 'Trouble',
    cell: (one) => <bdi title={troubleOf(one)}>{troubleOf(one)}</bdi>,
    csv: troubleOf,
  },
]

/** Sources that have no storefront stand under two strokes. */
const storefrontName = (country: string): string => (country === '--' ? 'all' : countryName(country))

const FailingCharts = ({ charts }: { charts: readonly FailingChart[] }) => (
  <Panel title="Charts that fail" note="Their last try brought no snapshot." flush>
    <ul className={`${styles.rows} ruled`}>
      {charts.map(({ country, kind, categoryId, device, failures, lastAt, message }) => (
        <li key={`${country} ${kind} ${categoryId} ${device}`} className="row between gap-4 rows-1">
          <span>
            {chartInWords[kind]}, category {categoryId}, {deviceInWords[device]}, {countryName(country)}
          </span>
          <span className="quiet">
            {count(failures)} in a row, last {timeAgo(lastAt)}
            {message && (
              <>
                : <bdi>{message}</bdi>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)

const badCodes = new Set([
  'source-failing',
  'source-throttled',
  'source-not-configured',
  'suspect-empty',
  'form-changed',
])

function AdLibraries() {
  const query = useQuery(read('search_paid_ads', { limit: 1 }))
  return (
    <Panel title="Ad libraries">
      <Loaded query={query} skeleton={<Skeleton height={64} />}>
        {({ coverage }) => (
          <ul className={`${styles.notes} stack gap-2`}>
            {coverage.map(({ platform, notes, newestObservationAt }) => {
              const bad = notes.filter(({ code }) => badCodes.has(code))
              return (
                <li key={platform}>
                  <strong>{adPlatformInWords[platform]}</strong>{' '}
                  {bad.length === 0 ? (
                    <span>no trouble known</span>
                  ) : (
                    bad.map(({ code, message }) => (
                      <span key={code}>
                        <Badge tone="warn">{code.replaceAll('-', ' ')}</Badge> {message}{' '}
                      </span>
                    ))
                  )}{' '}
                  <span className="quiet">
                    {newestObservationAt
                      ? `Newest observation ${dayText(newestObservationAt)}`
                      : 'Nothing observed yet'}
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}
