import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { read } from '../../api/operations.ts'
import { isNotFound } from '../../api/problems.ts'
import { addDays, daysBetween } from '../../evidence/days.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { count, momentText } from '../../evidence/format.ts'
import type { AppLabel, Evidence } from '../../evidence/shapes.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { ChartApp } from './ChartFrame.tsx'
import type { Chart, Snapshot } from './chart-search.ts'
import styles from './charts.module.css'
import { compareSnapshots } from './snapshots.ts'

/** Which apps a snapshot shows and the one before does not, and the other way round. */
export function NewAndGone({ chart, snapshot }: { chart: Chart; snapshot: Snapshot }) {
  const { previousCapturedAt } = snapshot
  return (
    <Panel
      title="New, returning and dropped out"
      note={previousCapturedAt ? `Since ${momentText(previousCapturedAt)}` : 'No earlier chart'}
    >
      {previousCapturedAt ? (
        <Both chart={chart} snapshot={snapshot} previousCapturedAt={previousCapturedAt} />
      ) : (
        <p className="quiet">This is the first chart collected. Changes show from the second one on.</p>
      )}
    </Panel>
  )
}

function Both({
  chart,
  snapshot,
  previousCapturedAt,
}: {
  chart: Chart
  snapshot: Snapshot
  previousCapturedAt: string
}) {
  const previous = usePrevious(chart, snapshot, previousCapturedAt)
  const moves = previous.snapshot && compareSnapshots(previous.snapshot, snapshot)
  const gone = moves?.filter(({ kind }) => kind === 'left')
  const unclear = moves?.filter(({ kind, after }) => kind === 'unclear' && after.state === 'absent').length ?? 0
  return (
    <div className={`${styles.both} stack gap-5`}>
      {arrivals.map(({ entry, title, none }) => (
        <Apps
          key={entry}
          title={title}
          none={none}
          apps={snapshot.items.filter((item) => item.entry === entry)}
          evidence={snapshot.evidence}
        />
      ))}
      {gone ? (
        <Apps
          title="Dropped out"
          none="No apps dropped out."
          apps={gone.flatMap(({ app, before }) =>
            before.state === 'measured' ? [{ app, rank: before.value }] : [],
          )}
          evidence={previous.snapshot?.evidence}
        >
          {unclear > 0 && (
            <p className="quiet">
              {count(unclear)} more may have dropped out: only the top {count(snapshot.items.length)} were
              collected this time.
            </p>
          )}
        </Apps>
      ) : (
        <section>
          <h3>Dropped out</h3>
          {previous.error ? (
            <Problem error={previous.error} />
          ) : previous.isPending ? (
            <Skeleton height={120} />
          ) : (
            <p className="quiet">Not available: a later chart of the same day replaced the previous one.</p>
          )}
        </section>
      )}
    </div>
  )
}

/** Counted as the quick filters of the chart count them. */
const arrivals = [
  { entry: 'new', title: 'New', none: 'No new apps.' },
  { entry: 'returning', title: 'Returning', none: 'No returning apps.' },
] as const

const shownAtFirst = 8

function Apps({
  title,
  none,
  apps,
  evidence,
  children,
}: {
  title: string
  none: string
  apps: readonly { app: AppLabel; rank: number }[]
  evidence: Evidence | undefined
  children?: ReactNode
}) {
  const [all, setAll] = useState(false)
  return (
    <section className="stack">
      <h3>
        {title} <span className="quiet">{count(apps.length)}</span>
      </h3>
      {apps.length === 0 && <p className="quiet">{none}</p>}
      <ul className="small">
        {(all ? apps : apps.slice(0, shownAtFirst)).map(({ app, rank }) => (
          <li key={app.storeId} className="row nowrap" style={{ minHeight: 30 }}>
            <span className="quiet end fixed" style={{ width: '2.5rem' }}>
              <Measured evidence={evidence}>{count(rank)}</Measured>
            </span>
            <ChartApp app={app} size={20} />
          </li>
        ))}
      </ul>
      {apps.length > shownAtFirst && (
        <Button small onPress={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${count(apps.length)}`}
        </Button>
      )}
      {children}
    </section>
  )
}

/**
 * The snapshot that another was compared with. Snapshots are read by the storefront's own day, which is that of UTC or one
 * beside it; where the likely day answers another snapshot, the day beside it is asked.
 */
function usePrevious(chart: Chart, snapshot: Snapshot, capturedAt: string) {
  const shift = daysBetween(snapshot.capturedAt.slice(0, 10), snapshot.date)
  const likely = addDays(capturedAt.slice(0, 10), shift)
  const first = useQuery({ ...read('get_apple_charts', { ...chart, date: likely }), retryOnMount: false })
  const found = first.data?.capturedAt === capturedAt
  const isLater = first.data !== undefined && first.data.capturedAt > capturedAt
  const beside = addDays(likely, isLater ? -1 : 1)
  const second = useQuery({
    ...read('get_apple_charts', { ...chart, date: beside }),
    retryOnMount: false,
    enabled: !found && (first.data !== undefined || isNotFound(first.error)),
  })
  const answer = found ? first.data : second.data?.capturedAt === capturedAt ? second.data : undefined
  const failure = [first.error, second.error].find((error) => error && !isNotFound(error))
  return {
    snapshot: answer,
    error: answer ? undefined : failure,
    isPending: first.isFetching || second.isFetching,
  }
}
