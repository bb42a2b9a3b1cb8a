import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import styles from './DataTable.module.css'
import { Checkbox } from './fields.tsx'
import { Scrolling } from './Picture.tsx'
import type { Column } from './table-column.ts'

export const rowHeight = 36
/** Rows above and below the visible ones that are drawn as well. */
const overscan = 8

/** Actions on a row. The object stays the same for the life of the table, so that rows are not rendered again. */
export interface RowActs<Row> {
  open: ((row: Row) => void) | undefined
  select: (id: string, isSelected: boolean) => void
}

/** A row, drawn again only when what it shows has changed: scrolling draws those that come into view. */
const TableRow = memo(function TableRow<Row>({
  id,
  index,
  row,
  columns,
  isSelected,
  isMarked,
  acts: { open, select },
}: {
  id: string
  index: number
  row: Row
  columns: readonly Column<Row>[]
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  isMarked: boolean
  acts: RowActs<Row>
}) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isMarked || undefined}
      tabIndex={-1}
      className={open ? styles.opens : ''}
      onClick={(event) => {
        if (open && !(event.target as Element).closest('a,button,input,label,[role="checkbox"]')) open(row)
      }}
    >
      {isSelected !== undefined && (
        <td className={styles.select}>
          <Checkbox
            aria-label={`Select row ${index + 1}`}
            isSelected={isSelected}
            onChange={(value) => select(id, value)}
          />
        </td>
      )}
      {columns.map(({ id, cell, align }) => (
        <td key={id} className={align === 'end' ? 'end' : ''}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: {
  id: string
  index: number
  row: Row
  columns: readonly Column<Row>[]
  isSelected: boolean | undefined
  isMarked: boolean
  acts: RowActs<Row>
}) => ReactNode

/** The rows that are in view. A component of its own, so that scrolling draws nothing else anew. */
export function TableBody<Row>({
  rows,
  columns,
  selected,
  marked,
  acts,
  scroller,
  scrollTo,
  onNearEnd,
}: {
  rows: readonly { id: string; original: Row }[]
  columns: readonly Column<Row>[]
  selected: ReadonlySet<string> | undefined
  marked: string | undefined
  acts: RowActs<Row>
  /** Null until it is mounted, which its rows are before it. */
  scroller: HTMLElement | null
  /** Set to what brings a row into view. */
  scrollTo: RefObject<((index: number) => void) | undefined>
  /** Called when the last rows come into view. */
  onNearEnd: (() => void) | undefined
}) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = rows.length > 0 && (items.at(-1)?.index ?? 0) >= rows.length - 1
  const nearEnd = useRef(onNearEnd)
  nearEnd.current = onNearEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may leave the end in view
  useEffect(() => {
    if (isNearEnd) nearEnd.current?.()
  }, [isNearEnd, rows.length])
  useEffect(() => {
    scrollTo.current = (index) => virtual.scrollToIndex(index)
  }, [scrollTo, virtual])
  const markedAt = marked === undefined ? -1 : rows.findIndex(({ id }) => id === marked)
  useEffect(() => {
    if (scroller && markedAt >= 0) virtual.scrollToIndex(markedAt, { align: 'center' })
  }, [scroller, markedAt, virtual])
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <Scrolling value={virtual.isScrolling}>
      <tbody>
        {before > 0 && <Spacer height={before} />}
        {items.map(({ index }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <TableRow
              key={row.id}
              id={row.id}
              index={index}
              row={row.original}
              columns={columns}
              isSelected={selected?.has(row.id)}
              isMarked={row.id === marked}
              acts={acts}
            />
          )
        })}
        {after > 0 && <Spacer height={after} />}
      </tbody>
    </Scrolling>
  )
}

const Spacer = ({ height }: { height: number }) => (
  <tr>
    <td style={{ height, padding: 0, border: 0 }} />
  </tr>
)
