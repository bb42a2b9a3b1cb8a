import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { read } from '../../api/operations.ts'
import { appSummaries } from '../../evidence/app-summaries.ts'
import { useCountry } from '../../evidence/country.ts'
import { Fact, Measured, NotMeasured, RankValue } from '../../evidence/Fact.tsx'
import { count, dayText, decimal, money } from '../../evidence/format.ts'
import type { AppSummary, FactOf, TrackedAppSummary } from '../../evidence/shapes.ts'
import { useTrackedApps } from '../../evidence/tracked.ts'
import { watchesOfChart } from '../../evidence/watch-choices.ts'
import { chartInWords, overallCategory, roleInWords } from '../../evidence/words.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { compareColumn } from '../../ui/CompareLink.tsx'
import type { CsvValue } from '../../ui/csv.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Empty, Filters, Page, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import { WatchThis } from '../../ui/WatchThis.tsx'
import { AppLine } from './AppLine.tsx'
import { ChartApp, ChartChoice, ChartLoaded, ChartNavigation, chartName, SnapshotFacts } from './ChartFrame.tsx'
import { type Chart, chartOfSearch, type Entry, type Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { DayChoice } from './DayChoice.tsx'
import { EntryValue } from './EntryValue.tsx'
import { NewAndGone } from './NewAndGone.tsx'
import { biggestMoveCount, entriesShown, rankInFile } from './snapshots.ts'
import type { EntryFilter } from './views.ts'

/** One snapshot of a chart: who stands where, who moved, who is new and who is gone. */
export function ChartPage() {
  const search = useSearch({ from: '/charts' })
  const country = useCountry()
  const navigate = useNavigate({ from: '/charts' })
  const chart = chartOfSearch(search, country)
  const { date } = search
  const snapshot = useQuery(read('get_apple_charts', { ...chart, ...(date && { date }) }))
  return (
    <Page
      title="Charts"
      subtitle={chartName(chart, snapshot.data)}
      actions={
        <WatchThis subject={chartName(chart, snapshot.data)} choices={watchesOfChart(chart)} choosesWhose />
      }
    >
      <ChartNavigation search={search} />
      <Filters label="Chart selection">
        <ChartChoice {...chart} />
        <DayChoice
          label="Day"
          day={date ?? snapshot.data?.date}
          isNewest={!date}
          onChoose={(next) =>
            void navigate({ search: (old) => compactSearch({ ...old, date: next }), resetScroll: false })
          }
        />
      </Filters>
      <ChartLoaded
        query={snapshot}
        chart={chart}
        newest={
          date && (
            <LinkButton from="/charts" to="/charts" search={({ date: _, ...others }) => others}>
              Show the latest chart
            </LinkButton>
          )
        }
        skeleton={
          <div className="stack">
            <Skeleton height={44} />
            <Skeleton height={36} />
            <Skeleton height={760} />
          </div>
        }
      >
        {(reply) => <Shown chart={chart} snapshot={reply} />}
      </ChartLoaded>
    </Page>
  )
}

/** What is known of the apps of a chart, by store id; read beside the chart, which does not wait for it. */
function useListings({ country, items }: Snapshot): Listings {
  const { data } = useQuery(
    appSummaries(
      country,
      items.map(({ app }) => app.storeId),
    ),
  )
  return useMemo(() => data && new Map(data.items.map((listing) => [listing.storeId, listing])), [data])
}

/** Undefined until they are read. */
type Listings = ReadonlyMap<string, AppSummary> | undefined

function Shown({ chart, snapshot }: { chart: Chart; snapshot: Snapshot }) {
  const { app, span, show, sort } = useSearch({ from: '/charts' })
  const navigate = useNavigate({ from: '/charts' })
  const tracked = useTrackedApps(chart.country)
  const isTracked = (storeId: string) => tracked.has(storeId)
  const numberOf = (kind: EntryFilter) => count(entriesShown(snapshot.items, kind, isTracked).length)
  const quick: { id: EntryFilter | 'all'; name: string; note: string }[] = [
    { id: 'all', name: 'All', note: count(snapshot.items.length) },
    { id: 'new', name: 'New', note: numberOf('new') },
    { id: 'returning', name: 'Returning', note: numberOf('returning') },
    { id: 'moves', name: `${biggestMoveCount} biggest moves`, note: numberOf('moves') },
    { id: 'tracked', name: 'Tracked', note: numberOf('tracked') },
  ]
  return (
    <>
      <SourceIssues trouble={snapshot.trouble} />
      <SnapshotFacts snapshot={snapshot} />
      <Segments
        label="Show"
        labelHidden
        segments={quick}
        value={show ?? 'all'}
        onChange={(value) =>
          void navigate({
            search: (old) => compactSearch({ ...old, show: value === 'all' ? undefined : value }),
            resetScroll: false,
          })
        }
      />
      <div className={app ? styles.beside : 'stack gap-4'}>
        <ChartTable
          chart={chart}
          snapshot={snapshot}
          entries={entriesShown(snapshot.items, show, isTracked)}
          show={show}
          sort={sort}
          tracked={tracked}
        />
        {app && (
          <div data-first>
            <AppLine chart={chart} storeId={app} until={snapshot.date} span={span} />
          </div>
        )}
        <NewAndGone chart={chart} snapshot={snapshot} />
      </div>
    </>
  )
}

/** The places of a snapshot. A row opens the line of its app. */
function ChartTable({
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
  show: EntryFilter | undefined
  sort: string | undefined
  tracked: ReadonlyMap<string, TrackedAppSummary>
}) {
  const navigate = useNavigate({ from: '/charts' })
  const listings = useListings(snapshot)
  const columns = useMemo(() => columnsOf(snapshot, tracked, listings), [snapshot, tracked, listings])
  return (
    <Panel title={`${chartInWords[chart.chart]}, ${snapshot.categoryName}`} flush>
      <DataTable
        label="Chart ranks"
        rows={entries}
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
        empty={<Empty title={emptyInWords[show ?? 'all']} />}
        file={`${chart.chart}-${chart.categoryId}-${chart.country}-${chart.device}-${snapshot.date}`}
        minWidth={1020}
      />
    </Panel>
  )
}

const emptyInWords: Record<EntryFilter | 'all', string> = {
  all: 'Apple returned an empty chart',
  new: 'No new apps in this chart',
  returning: 'No returning apps',
  moves: 'No rank changes',
  tracked: 'No tracked apps in this chart',
}

type ListedField = 'rating' | 'ratingCount' | 'price' | 'primaryCategory' | 'releasedAt'
type ListedValue<Field extends ListedField> = Extract<AppSummary[Field], { state: 'measured' }>['value']

/** A column of the listing in the storefront of the chart. An app that only charts showed is in no catalogue: not measured. */
function listed<Field extends ListedField>(
  listings: Listings,
  field: Field,
  id: string,
  name: string,
  width: number,
  format: (value: ListedValue<Field>) => string,
  csv: (value: ListedValue<Field>) => CsvValue = (value) => (typeof value === 'number' ? value : format(value)),
): Column<Entry> {
  const factOf = ({ app }: Entry) =>
    listings?.get(app.storeId)?.[field] as FactOf<ListedValue<Field>> | undefined
  const told = (entry: Entry) => {
    const fact = factOf(entry)
    return fact?.state === 'measured' ? csv(fact.value) : null
  }
  return {
    id,
    name,
    width,
    ...(field === 'primaryCategory' ? {} : { align: 'end' as const, descendingFirst: true }),
    value: told,
    csv: (entry) => told(entry) ?? (factOf(entry)?.state === 'absent' ? 'none' : 'not collected'),
    cell: (entry) => {
      const fact = factOf(entry)
      if (!listings) return <span className="quiet">…</span>
      if (!fact) return <NotMeasured reason="never-collected" short />
      return <Fact fact={fact} evidence={listings.get(entry.app.storeId)?.evidence ?? []} format={format} />
    },
  }
}

function columnsOf(
  { country, categoryId, evidence, previousEvidence, previousCapturedAt }: Snapshot,
  tracked: ReadonlyMap<string, TrackedAppSummary>,
  listings: Listings,
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
    { id: 'storeId', name: 'App ID', fileOnly: true, value: ({ app }) => app.storeId, cell: () => null },
    {
      id: 'movement',
      name: 'Rank change',
      heading: 'Change',
      width: 110,
      descendingFirst: true,
      value: ({ change }) => change,
      csv: ({ entry, change }) => (change === null ? entry : change),
      cell: (entry) => <EntryValue entry={entry} comparedAt={previousCapturedAt} />,
    },
    {
      id: 'before',
      name: 'Previous rank',
      heading: 'Previous',
      align: 'end',
      width: 116,
      value: ({ previousRank }) => (previousRank.state === 'measured' ? previousRank.value : null),
      csv: ({ previousRank }) => rankInFile(previousRank),
      cell: ({ previousRank }) => <RankValue rank={previousRank} evidence={previousEvidence ?? undefined} />,
    },
    ...(categoryId === overallCategory
      ? [listed(listings, 'primaryCategory', 'category', 'Category', 110, ({ name }) => name)]
      : []),
    listed(listings, 'rating', 'rating', 'Rating', 66, decimal),
    listed(listings, 'ratingCount', 'ratings', 'Ratings', 84, count),
    listed(listings, 'price', 'price', 'Price', 76, money, ({ amount }) => amount),
    listed(listings, 'releasedAt', 'released', 'Released', 104, dayText, (at) => at.slice(0, 10)),
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
      value: ({ app }) => {
        const role = tracked.get(app.storeId)?.role
        return role ? roleInWords[role] : null
      },
      cell: () => null,
    },
    compareColumn(({ app }) => ({ storeId: app.storeId, country, name: app.name ?? app.storeId })),
  ]
}
