import {
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { count } from '../evidence/format.ts'
import { ProvenanceTabStop } from '../evidence/provenance.tsx'
import { Button } from './Button.tsx'
import { type CsvValue, saveCsv } from './csv.ts'
import styles from './DataTable.module.css'
import { Checkbox } from './fields.tsx'

/** A column of a table. */
export interface Column<Row> {
  id: string
  name: string
  /** Shown in the heading instead of the name, which is then read to those who cannot see it. */
  heading?: ReactNode
  cell: (row: Row) => ReactNode
  /**
   * What the column is sorted by, and its text in a CSV file unless `csv` says otherwise; null where there is no value: those
   * come last in both orders. Without it the column is not sorted.
   */
  value?: (row: Row) => CsvValue
  csv?: (row: Row) => CsvValue
  /** Numbers are on the end side. */
  align?: 'start' | 'end'
  /** In pixels; a column without takes its part of what is left. */
  width?: number
  /** Sorts descending at the first click: for what is better when it is more. */
  descendingFirst?: boolean
  /** Stands in the CSV file alone. */
  fileOnly?: boolean
}

export interface TableSort {
  column: string
  descending: boolean
}

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
})

const rowHeight = 36
/** In pixels, of the column of checkboxes, and of one that takes its part of what is left. */
const selectWidth = 36
const leastColumn = 120
/** Rows above and below the visible ones that are drawn as well. */
const overscan = 12

/**
 * A table whose rows outside the screen are not drawn, so that thousands stay fluid. Arrow keys or j and k move between rows,
 * left and right between the values of a row, Enter opens it, Space selects it.
 */
export function DataTable<Row>({
  label,
  rows,
  rowId,
  columns: allColumns,
  sort,
  onSort,
  onOpen,
  selected,
  onSelect,
  height,
  empty,
  file,
  minWidth = 0,
  pinned = false,
  isInOrder = false,
  onNearEnd,
  of,
}: {
  /** Its name for those who cannot see it, and of the CSV file. */
  label: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  columns: readonly Column<Row>[]
  /** The order, which the address of the page holds. Without it the table keeps its own. */
  sort?: TableSort | undefined
  onSort?: (sort: TableSort | undefined) => void
  onOpen?: (row: Row) => void
  /** Ids of the selected rows; without it rows cannot be selected. */
  selected?: ReadonlySet<string>
  onSelect?: (ids: Set<string>) => void
  /** In pixels; as high as its rows up to 20 when left out. */
  height?: number | string
  empty: ReactNode
  /** Name of the CSV file without its ending; no file is offered when left out. */
  file?: string
  /** Below this width in pixels the table scrolls sideways; never so narrow that a column has no room. */
  minWidth?: number
  /** Keeps the first column in view while the others scroll sideways. */
  pinned?: boolean
  /** The rows come in the order of `sort`: a service sorts them, of which this may be the first page. */
  isInOrder?: boolean
  /** Called when the last rows come into view: more of them may be asked for. */
  onNearEnd?: (() => void) | undefined
  /** All rows there are, where only some of them were asked for: `415`. */
  of?: string | undefined
}) {
  const [ownSort, setOwnSort] = useState<SortingState>([])
  const sorting = useMemo(
    () => (onSort ? (sort ? [{ id: sort.column, desc: sort.descending }] : []) : ownSort),
    [onSort, sort, ownSort],
  )
  const columns = useMemo(() => allColumns.filter(({ fileOnly }) => !fileOnly), [allColumns])
  const leastWidth =
    columns.reduce((sum, { width = leastColumn }) => sum + width, 0) + (selected ? selectWidth : 0)
  const definitions = useMemo(
    () =>
      columns.map(({ id, value, descendingFirst }) => ({
        id,
        // Undefined is what the library puts last in either order.
        accessorFn: (row: Row) => value?.(row) ?? undefined,
        enableSorting: value !== undefined,
        sortDescFirst: descendingFirst ?? false,
        sortUndefined: 'last' as const,
        sortFn: compareCells,
      })),
    [columns],
  )
  const selection = useMemo(
    (): RowSelectionState => Object.fromEntries([...(selected ?? [])].map((id) => [id, true])),
    [selected],
  )
  const table = useTable({
    features,
    data: rows as Row[] & object[],
    columns: definitions as never,
    getRowId: (row: unknown) => rowId(row as Row),
    state: { sorting, rowSelection: selection },
    manualSorting: isInOrder,
    onSortingChange: (update: SortingState | ((old: SortingState) => SortingState)) => {
      const next = typeof update === 'function' ? update(sorting) : update
      const [first] = next
      if (onSort) onSort(first && { column: first.id, descending: first.desc })
      else setOwnSort(next)
    },
    onRowSelectionChange: (update: RowSelectionState | ((old: RowSelectionState) => RowSelectionState)) => {
      const next = typeof update === 'function' ? update(selection) : update
      onSelect?.(new Set(Object.keys(next).filter((id) => next[id])))
    },
  })
  const shown = table.getRowModel().rows
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = shown.length > 0 && (items.at(-1)?.index ?? 0) >= shown.length - 1
  const nearEnd = useRef(onNearEnd)
  nearEnd.current = onNearEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may leave the end in view
  useEffect(() => {
    if (isNearEnd) nearEnd.current?.()
  }, [isNearEnd, shown.length])
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const move = useRowKeys(scroller, shown.length, (index) => virtual.scrollToIndex(index))
  const rowOf = (index: number) => shown[index]?.original as Row | undefined
  const opens = onOpen !== undefined
  const latest = useRef({ onOpen, onSelect, selected })
  latest.current = { onOpen, onSelect, selected }
  const acts = useMemo(
    (): RowActs<Row> => ({
      open: opens ? (row) => latest.current.onOpen?.(row) : undefined,
      select: (id, isSelected) => {
        const ids = new Set(latest.current.selected)
        if (isSelected) ids.add(id)
        else ids.delete(id)
        latest.current.onSelect?.(ids)
      },
    }),
    [opens],
  )
  const save = () =>
    saveCsv(
      `${file}.csv`,
      allColumns.map(({ name }) => name),
      shown.map(({ original }) =>
        allColumns.map(({ csv, value }) => (csv ?? value)?.(original as Row) ?? null),
      ),
    )
  if (rows.length === 0) return empty
  return (
    <ProvenanceTabStop value={-1}>
      <section
        ref={scroller}
        className={`${styles.scroller} ${pinned ? styles.pinned : ''}`}
        style={{ maxHeight: height ?? rowHeight * 21 + 2 }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
        tabIndex={0}
        aria-label={label}
        onKeyDown={(event) => {
          const index = move(event)
          if (index === undefined) return
          const row = rowOf(index)
          if (
            event.key === 'Enter' &&
            row !== undefined &&
            onOpen &&
            event.target === event.currentTarget.querySelector(`[data-index="${index}"]`)
          )
            onOpen(row)
          if (event.key === ' ' && selected && onSelect) {
            event.preventDefault()
            shown[index]?.toggleSelected()
          }
        }}
      >
        <table
          className={styles.table}
          style={{ minWidth: Math.max(minWidth, leastWidth) }}
          aria-rowcount={shown.length + 1}
        >
          <colgroup>
            {selected && <col style={{ width: selectWidth }} />}
            {columns.map(({ id, width }) => (
              <col key={id} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {selected && (
                <th scope="col" className={styles.select}>
                  <Checkbox
                    aria-label="Select all rows"
                    isSelected={table.getIsAllRowsSelected()}
                    isIndeterminate={table.getIsSomeRowsSelected()}
                    onChange={(value) => table.toggleAllRowsSelected(value)}
                  />
                </th>
              )}
              {columns.map((column) => {
                const head = table.getColumn(column.id)
                const direction = head?.getIsSorted()
                return (
                  <th
                    key={column.id}
                    scope="col"
                    className={column.align === 'end' ? styles.end : ''}
                    {...(direction ? { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' } : {})}
                  >
                    {column.value ? (
                      <button type="button" className={styles.sort} onClick={() => head?.toggleSorting()}>
                        {column.heading ?? column.name}
                        {direction === 'asc' && <ArrowUp size={12} aria-hidden="true" />}
                        {direction === 'desc' && <ArrowDown size={12} aria-hidden="true" />}
                      </button>
                    ) : (
                      (column.heading ?? column.name)
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Spacer height={before} />}
            {items.map(({ index }) => {
              const row = shown[index]
              if (!row) return null
              return (
                <TableRow
                  key={row.id}
                  id={row.id}
                  index={index}
                  row={row.original as Row}
                  columns={columns}
                  isSelected={selected && row.getIsSelected()}
                  acts={acts}
                />
              )
            })}
            {after > 0 && <Spacer height={after} />}
          </tbody>
        </table>
      </section>
      {file && (
        <footer className={styles.foot} data-screen-only>
          <span className="quiet">
            {count(shown.length)}
            {of === undefined ? '' : ` of ${of}`} {shown.length === 1 && of === undefined ? 'row' : 'rows'}
          </span>
          <Button small look="bare" icon={<Download size={13} aria-hidden="true" />} onPress={save}>
            CSV
          </Button>
        </footer>
      )}
    </ProvenanceTabStop>
  )
}

/** What can be done with a row. The same for the life of the table, so that rows need not be drawn again for it. */
interface RowActs<Row> {
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
  acts: { open, select },
}: {
  id: string
  index: number
  row: Row
  columns: readonly Column<Row>[]
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  acts: RowActs<Row>
}) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
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
        <td key={id} className={align === 'end' ? styles.end : ''}>
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
  acts: RowActs<Row>
}) => ReactNode

const Spacer = ({ height }: { height: number }) => (
  <tr>
    <td style={{ height, padding: 0, border: 0 }} />
  </tr>
)

const collator = new Intl.Collator(undefined, { numeric: true })

interface Comparable {
  getValue: (column: string) => unknown
}

function compareCells(a: Comparable, b: Comparable, column: string): number {
  const [left, right] = [a.getValue(column), b.getValue(column)]
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return collator.compare(String(left), String(right))
}

/** Moves the focus between rows and the values of a row. @returns the index of the focused row */
function useRowKeys(
  scroller: { current: HTMLElement | null },
  rows: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => number | undefined {
  return (event) => {
    const target = event.target as HTMLElement
    if (event.metaKey || event.ctrlKey || event.altKey || target.closest('input,textarea,select'))
      return undefined
    const row = target.closest<HTMLElement>('[data-index]')
    const index = row ? Number(row.dataset.index) : -1
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(rows - 1, index + step))
      scrollTo(next)
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
      )
      return undefined
    }
    if (row && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const stops = [...row.querySelectorAll<HTMLElement>('a,button,[data-provenance]')]
      const at = stops.indexOf(target) + (event.key === 'ArrowRight' ? 1 : -1)
      event.preventDefault()
      ;(stops[at] ?? row).focus()
      return undefined
    }
    return index === -1 ? undefined : index
  }
}
