import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import { count } from '../../evidence/format.ts'
import { useTrackedApps } from '../../evidence/tracked.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { Filters, Page, Skeleton, Troubles } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AppLine } from './AppLine.tsx'
import { ChartChoice, ChartLoaded, ChartNavigation, chartName, SnapshotFacts } from './ChartFrame.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type Chart, chartOf, type Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { DayChoice } from './DayChoice.tsx'
import { NewAndGone } from './NewAndGone.tsx'
import { biggestMoves, entriesShown } from './snapshots.ts'
import type { EntryShow } from './views.ts'

/** One snapshot of a chart: who stands where, who moved, who is new and who is gone. */
export function ChartPage() {
  const search = useSearch({ from: '/charts' })
  const country = useCountry()
  const navigate = useNavigate({ from: '/charts' })
  const chart = chartOf(search, country)
  const { date } = search
  const snapshot = useQuery(read('get_apple_charts', { ...chart, ...(date && { date }) }))
  return (
    <Page title="Charts" subtitle={chartName(chart, snapshot.data)}>
      <ChartNavigation search={search} />
      <Filters label="Which chart">
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
              Show the newest snapshot
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

function Shown({ chart, snapshot }: { chart: Chart; snapshot: Snapshot }) {
  const { app, span, show, sort } = useSearch({ from: '/charts' })
  const navigate = useNavigate({ from: '/charts' })
  const tracked = useTrackedApps(chart.country)
  const isTracked = (storeId: string) => tracked.has(storeId)
  const numberOf = (kind: EntryShow) => count(entriesShown(snapshot.items, kind, isTracked).length)
  const quick: { id: EntryShow | 'all'; name: string; note: string }[] = [
    { id: 'all', name: 'All', note: count(snapshot.items.length) },
    { id: 'new', name: 'New', note: numberOf('new') },
    { id: 'returning', name: 'Returning', note: numberOf('returning') },
    { id: 'moves', name: `${biggestMoves} biggest moves`, note: numberOf('moves') },
    { id: 'tracked', name: 'Tracked by you', note: numberOf('tracked') },
  ]
  return (
    <>
      <Troubles trouble={snapshot.trouble} />
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
      <div className={styles.beside}>
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
