import { memo, useMemo, useState } from 'react'
import { count, dayText } from '../../evidence/format.ts'
import { ChartApp } from './ChartFrame.tsx'
import type { Snapshot } from './chart-search.ts'
import { MoveValue } from './MoveValue.tsx'
import styles from './slope.module.css'
import type { SnapshotMove } from './snapshots.ts'

const rowHeight = 30

/** Two snapshots as two columns, with a line for each app that both show. Apps that are not chosen step back. */
export function Slope({
  before,
  after,
  moves,
  top,
  isChosen,
}: {
  before: Snapshot
  after: Snapshot
  moves: readonly SnapshotMove[]
  /** Places shown of each. */
  top: number
  isChosen: (move: SnapshotMove) => boolean
}) {
  const [lit, setLit] = useState<string>()
  const byApp = useMemo(() => new Map(moves.map((move) => [move.app.storeId, move])), [moves])
  const column = (snapshot: Snapshot) =>
    snapshot.items.slice(0, top).flatMap(({ app, rank }) => {
      const move = byApp.get(app.storeId)
      return move ? [{ app, rank, move }] : []
    })
  const [left, right] = [column(before), column(after)]
  const rows = Math.max(left.length, right.length)
  const point = (event: { target: EventTarget }) =>
    setLit((event.target as Element).closest<HTMLElement>('[data-app]')?.dataset.app)
  const classOf = (move: SnapshotMove) =>
    [
      `${styles.place} row nowrap small`,
      isChosen(move) ? '' : styles.back,
      move.app.storeId === lit ? styles.lit : '',
    ].join(' ')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at an app only makes its line stand out
    <div
      className={`${styles.slope} pad`}
      onPointerOver={point}
      onPointerLeave={() => setLit(undefined)}
      onFocus={point}
      onBlur={() => setLit(undefined)}
    >
      <section aria-label={`Ranks on ${dayText(before.date)}`}>
        <h3 className="quiet end">{dayText(before.date)}</h3>
        <ol>
          {left.map(({ app, rank, move }) => (
            <li key={app.storeId} data-app={app.storeId} className={`${classOf(move)} ${styles.before} to-end`}>
              <span className="row nowrap stretch shrinks">
                <ChartApp app={app} size={18} />
              </span>
              {move.kind === 'left' && <MoveValue move={move} since={before.date} />}
              <span className={`${styles.rank} quiet end`}>{count(rank)}</span>
            </li>
          ))}
        </ol>
      </section>
      <Lines moves={moves} rows={rows} lit={lit} isChosen={isChosen} />
      <section aria-label={`Ranks on ${dayText(after.date)}`}>
        <h3 className="quiet">{dayText(after.date)}</h3>
        <ol>
          {right.map(({ app, rank, move }) => (
            <li key={app.storeId} data-app={app.storeId} className={classOf(move)}>
              <span className={`${styles.rank} quiet end`}>{count(rank)}</span>
              <span className="row nowrap stretch shrinks">
                <ChartApp app={app} size={18} />
              </span>
              <MoveValue move={move} since={before.date} />
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

/** The lines between the columns. What they say stands in the columns as words. */
const Lines = memo(function Lines({
  moves,
  rows,
  lit,
  isChosen,
}: {
  moves: readonly SnapshotMove[]
  rows: number
  lit: string | undefined
  isChosen: (move: SnapshotMove) => boolean
}) {
  const y = (rank: number) => (rank - 0.5) * rowHeight
  return (
    <svg
      className={`${styles.lines} full clipped`}
      viewBox={`0 0 100 ${rows * rowHeight}`}
      height={rows * rowHeight}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {moves.map((move) => {
        const { app, before, after, kind } = move
        if (before.state !== 'measured' || after.state !== 'measured') return null
        if (before.value > rows && after.value > rows) return null
        const [from, to] = [y(before.value), y(after.value)]
        return (
          <path
            key={app.storeId}
            d={`M0 ${from}C45 ${from} 55 ${to} 100 ${to}`}
            className={[
              styles.line,
              styles[kind],
              isChosen(move) ? '' : styles.back,
              app.storeId === lit ? styles.lit : '',
            ].join(' ')}
          />
        )
      })}
    </svg>
  )
})
