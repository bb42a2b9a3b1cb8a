import { type CSSProperties, type KeyboardEvent, memo, type ReactNode } from 'react'
import { dayText, monthText } from '../../evidence/format.ts'
import { EvidenceLines, useProvenance } from '../../evidence/provenance.tsx'
import type { Evidence } from '../../evidence/shapes.ts'
import { customProperties } from '../../ui/css.ts'
import { ChartApp } from './ChartFrame.tsx'
import styles from './charts.module.css'
import {
  cellInWords,
  type HeatmapCell,
  type HeatmapDay,
  type HeatRow,
  rankBandOf,
  rankBands,
} from './heatmap.ts'

/**
 * Ranks by day as a table of colours and numbers. Arrow keys, Home and End move between its cells, each of which tells its
 * provenance.
 */
export const Heatmap = memo(function Heatmap({
  label,
  dates,
  days,
  rows,
}: {
  label: string
  dates: readonly string[]
  days: readonly HeatmapDay[]
  rows: readonly HeatRow[]
}) {
  return (
    <div className={styles.scroller}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are reached with the arrow keys */}
      <table className={`${styles.map} tiny full`} role="grid" aria-label={label} onKeyDown={moveFocus}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              App
            </th>
            {dates.map((date, index) => (
              <th key={date} scope="col" className={styles.date} title={dayText(date)}>
                <span
                  className={index === 0 || date.endsWith('-01') ? undefined : 'hidden'}
                  style={{ display: 'block' }}
                >
                  {monthText(date)}{' '}
                </span>
                {Number(date.slice(8))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ app, cells }, row) => (
            <tr key={app.storeId}>
              <th scope="row" className={`${styles.app} small regular`}>
                <ChartApp app={app} size={18} />
              </th>
              {cells.map((cell, index) => {
                const day = days[index]
                return (
                  <HeatCell
                    key={dates[index]}
                    kind={cell.kind}
                    number={cell.kind === 'rank' ? cell.rank : cell.kind === 'outside' ? cell.depth : 0}
                    date={dates[index] ?? ''}
                    evidence={day && typeof day === 'object' ? day.evidence : undefined}
                    isEntry={row === 0 && index === cells.length - 1}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
})

/** A cell by values that compare equal when nothing changed: a day that arrives redraws its own column alone. */
const HeatCell = memo(function HeatCell({
  kind,
  number,
  date,
  evidence,
  isEntry,
}: {
  kind: HeatmapCell['kind']
  number: number
  date: string
  evidence: Evidence | undefined
  isEntry: boolean
}) {
  const cell: HeatmapCell =
    kind === 'rank' ? { kind, rank: number } : kind === 'outside' ? { kind, depth: number } : { kind }
  const provenance = useProvenance(() => (
    <>
      <strong>
        {dayText(date)}: {cellInWords(cell)}
      </strong>
      {evidence && <EvidenceLines evidence={evidence} />}
    </>
  ))
  return (
    <td
      {...provenance}
      tabIndex={isEntry ? 0 : -1}
      className={`${styles.cell} ${styles[kind]}`}
      style={kind === 'rank' ? heatOf(rankBandOf(number)) : undefined}
    >
      {kind === 'rank' ? (
        number
      ) : (
        <>
          <span aria-hidden="true">{signs[kind]}</span>
          <span className="hidden">{cellInWords(cell)}</span>
        </>
      )}
    </td>
  )
})

const signs = { outside: '∅', gap: '', suspect: '?', loading: '', failed: '!' } as const

/** The legend of colours and signs. */
export function HeatLegend({ depth }: { depth: number }) {
  return (
    <ul className="row stretch gap-4 rows-1 small" aria-label="Legend">
      {rankBands.map(({ name }, index) => (
        <Key key={name} look="rank" style={heatOf(index + 1)}>
          {name}
        </Key>
      ))}
      <Key look="outside" sign="∅">
        not in the first {depth}
      </Key>
      <Key look="gap">no snapshot</Key>
      <Key look="suspect" sign="?">
        suspect
      </Key>
    </ul>
  )
}

/** The colours of a band of ranks, 1 is that of the best. */
const heatOf = (band: number) =>
  customProperties({ '--heat': `var(--heat-${band})`, '--on-heat': `var(--on-heat-${band})` })

function Key({
  look,
  style,
  sign,
  children,
}: {
  look: string
  style?: CSSProperties
  sign?: string
  children: ReactNode
}) {
  return (
    <li className="line">
      <span className={`${styles.key} ${styles[look]} tiny`} style={style} aria-hidden="true">
        {sign}
      </span>
      {children}
    </li>
  )
}

/** Moves the one stop of the Tab key from cell to cell. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const cell = (event.target as Element).closest('td')
  const row = cell?.parentElement as HTMLTableRowElement | null | undefined
  if (!cell || !row || event.metaKey || event.ctrlKey || event.altKey) return
  const body = row.parentElement as HTMLTableSectionElement
  const [at, line] = [cell.cellIndex, row.sectionRowIndex]
  const last = row.cells.length - 1
  const goals: Partial<Record<string, [number, number]>> = {
    ArrowRight: [line, at + 1],
    ArrowLeft: [line, at - 1],
    ArrowDown: [line + 1, at],
    j: [line + 1, at],
    ArrowUp: [line - 1, at],
    k: [line - 1, at],
    Home: [line, 1],
    End: [line, last],
  }
  const goal = goals[event.key]
  if (!goal) return
  event.preventDefault()
  const next = body.rows[goal[0]]?.cells[goal[1]]
  if (next?.tagName !== 'TD') return
  cell.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}
