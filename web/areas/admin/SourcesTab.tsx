import { useQuery } from '@tanstack/react-query'
import { type SourceName, surfaces } from '../../../src/vocabulary/provenance.ts'
import { read } from '../../api/operations.ts'
import { count, countryName, countWithNoun, dayText, momentText, timeAgo } from '../../evidence/format.ts'
import { adPlatformInWords, chartInWords, deviceInWords } from '../../evidence/words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import styles from './admin.module.css'
import { type FailingChart, type SourceHealth, sourceHealth, useCategoryName } from './operating.ts'

/** The health of every source in every storefront, charts that fail, and ad libraries. */
export function SourcesTab() {
  const query = useQuery(sourceHealth)
  return (
    <ShownTogether skeleton={<Skeleton height={560} />}>
      <Loaded query={query} skeleton={<Skeleton height={320} />}>
        {({ sources, charts }) => (
          <>
            <Panel
              title="Sources by storefront"
              note={
                sources.length === 0
                  ? undefined
                  : `${count(sources.filter((one) => stateOf(one) !== 'well').length)} of ${count(sources.length)} with issues, listed first.`
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
                  <Empty title="No sources used yet">Sources are listed here after the first collection.</Empty>
                }
              />
            </Panel>
            {charts.length > 0 && <FailingCharts charts={charts} />}
          </>
        )}
      </Loaded>
      <AdLibraries />
    </ShownTogether>
  )
}

const states = {
  failing: { name: 'Failing', tone: 'bad' },
  suspect: { name: 'Unconfirmed', tone: 'warn' },
  differs: { name: 'Format changed', tone: 'warn' },
  well: { name: 'OK', tone: 'good' },
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
    told.push(
      `${countWithNoun(failures, 'failure')} in a row since ${momentText(failingSince)}: ${failureMessage ?? 'no answer'}`,
    )
  if (suspects > 0 && suspectSince)
    told.push(
      `${countWithNoun(suspects, 'empty answer')} where there was data before, since ${momentText(suspectSince)}`,
    )
  if (shorts > 0 && shortSince)
    told.push(
      `${countWithNoun(shorts, 'answer')} with far less data than before, since ${momentText(shortSince)}`,
    )
  if (differences !== null && differsSince)
    told.push(`format changed since ${momentText(differsSince)}: ${differences}`)
  return told.join('; ')
}

const sourceName = (source: string): string => surfaces[source as SourceName] ?? source

const columns: readonly Column<SourceHealth>[] = [
  {
    id: 'state',
    name: 'Status',
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
    name: 'Last success',
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
    name: 'Issue',
    cell: (one) => <bdi title={troubleOf(one)}>{troubleOf(one)}</bdi>,
    csv: troubleOf,
  },
]

/** Sources that have no storefront stand under two strokes. */
const storefrontName = (country: string): string => (country === '--' ? 'all' : countryName(country))

function FailingCharts({ charts }: { charts: readonly FailingChart[] }) {
  const categoryName = useCategoryName()
  return (
    <Panel title="Failing charts" note="The last attempt to collect them failed" flush>
      <ul className={`${styles.rows} ruled`}>
        {charts.map(({ country, kind, categoryId, device, failures, lastAt, message }) => (
          <li key={`${country} ${kind} ${categoryId} ${device}`} className="row between gap-4 rows-1">
            <span>
              {chartInWords[kind]}, {categoryName(categoryId)}, {deviceInWords[device]}, {countryName(country)}
            </span>
            <span className="quiet">
              {countWithNoun(failures, 'failure')} in a row, last {timeAgo(lastAt)}
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
}

const issueInWords: Record<string, string> = {
  'source-failing': 'Failing',
  'source-throttled': 'Rate-limited',
  'source-not-configured': 'Not set up',
  'suspect-empty': 'Unconfirmed',
  'form-changed': 'Format changed',
}

function AdLibraries() {
  const query = useQuery(read('search_paid_ads', { limit: 1 }))
  return (
    <Panel title="Ad libraries">
      <Loaded query={query} skeleton={<Skeleton height={64} />}>
        {({ coverage }) => (
          <ul className={`${styles.notes} stack gap-2`}>
            {coverage.map(({ platform, notes, newestObservationAt }) => {
              const bad = notes.filter(({ code }) => code in issueInWords)
              return (
                <li key={platform}>
                  <strong>{adPlatformInWords[platform]}</strong>{' '}
                  {bad.length === 0 ? (
                    <span>no known issues</span>
                  ) : (
                    bad.map(({ code, message }) => (
                      <span key={code}>
                        <Badge tone="warn">{issueInWords[code]}</Badge> {message}{' '}
                      </span>
                    ))
                  )}{' '}
                  <span className="quiet">
                    {newestObservationAt
                      ? `Newest ad seen ${dayText(newestObservationAt)}`
                      : 'No ads collected yet'}
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
