import { type CSSProperties, type KeyboardEvent, memo, type ReactNode } from 'react'
import { dayText, monthText } from '../../evidence/format.ts'
import { EvidenceLines, useProvenanceOfParts } from '../../evidence/provenance.tsx'
import { customProperties } from '../../ui/css.ts'
import { ChartApp } from './ChartFrame.tsx'
import type { ChartRanks } from './chart-ranks.ts'
import styles from './charts.module.css'
import { cellInWords, type HeatRow, rankBandOf, rankBands } from './heatmap.ts'

/**
 * Ranks by day as a table of colours and numbers. Arrow keys, Home and End move between its cells, each of which tells its
 * provenance. The cells are plain elements: a component for each of three thousand takes longer than all else of the page.
 */
export const Heatmap = memo(function Heatmap({
  label,
  month: { days, sources },
  rows,
}: {
  label: string
  month: ChartRanks
  rows: readonly HeatRow[]
}) {
  const parts = useProvenanceOfParts((part) => {
    const [row, day] = placeOf(part)
    const [cell, of] = [rows[row]?.cells[day], days[day]]
    if (!cell || !of) return null
    return (
      <>
        <strong>
          {dayText(of.date)}: {cellInWords(cell)}
        </strong>
        {of.capture && (
          <EvidenceLines evidence={sources[of.capture.source]} observedAt={of.capture.observedAt} />
        )}
      </>
    )
  })
  const last = days.length - 1
  return (
    <div className={styles.scroller}>
      <table
        {...parts}
        className={`${styles.map} tiny full`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are reached with the arrow keys
        role="grid"
        aria-label={label}
        onKeyDown={moveFocus}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              App
            </th>
            {days.map(({ date }, index) => (
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
              {cells.map((cell, index) => (
                <td
                  key={days[index]?.date}
                  data-provenance=""
                  tabIndex={row === 0 && index === last ? 0 : -1}
                  className={looks[cell.kind]}
                  style={cell.kind === 'rank' ? heats[rankBandOf(cell.rank)] : undefined}
                >
                  {cell.kind === 'rank' ? (
                    cell.rank
                  ) : (
                    <>
                      <span aria-hidden="true">{signs[cell.kind]}</span>
                      <span className="hidden">{cellInWords(cell)}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
})

/** The row and the day of a cell, from 0; the first column holds the apps. */
const placeOf = (cell: Element): [row: number, day: number] => {
  const { cellIndex, parentElement } = cell as HTMLTableCellElement
  return [(parentElement as HTMLTableRowElement).sectionRowIndex, cellIndex - 1]
}

const signs = { outside: '∅', gap: '', suspect: '?' } as const

/** The legend of colours and signs. */
export function HeatLegend({ depth }: { depth: number }) {
  return (
    <ul className="row stretch gap-4 rows-1 small" aria-label="Legend">
      {rankBands.map(({ name }, index) => (
        <Key key={name} look="rank" style={heats[index + 1]}>
          {name}
        </Key>
      ))}
      <Key look="outside" sign="∅">
        not in top {depth}
      </Key>
      <Key look="gap">not collected</Key>
      <Key look="suspect" sign="?">
        empty response
      </Key>
    </ul>
  )
}

/** The colours of a band of ranks, 1 is that of the best. */
const heats = Array.from({ length: rankBands.length + 1 }, (_, band) =>
  customProperties({ '--heat': `var(--heat-${band})`, '--on-heat': `var(--on-heat-${band})` }),
)

const looks = {
  rank: `${styles.cell} ${styles.rank}`,
  outside: `${styles.cell} ${styles.outside}`,
  gap: `${styles.cell} ${styles.gap}`,
  suspect: `${styles.cell} ${styles.suspect}`,
} as const

function Key({
  look,
  style,
  sign,
  children,
}: {
  look: string
  style?: CSSProperties | undefined
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
