import {
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { count } from '../evidence/format.ts'
import { ProvenanceTabStop } from '../evidence/provenance.tsx'
import { Button } from './Button.tsx'
import { ColumnChooser, useChosenColumns } from './ColumnChooser.tsx'
import { saveCsv } from './csv.ts'
import styles from './DataTable.module.css'
import { Checkbox } from './fields.tsx'
import { Download } from './icons.ts'
import { type RowActs, rowHeight, TableBody } from './TableBody.tsx'
import { Heading } from './TableHeading.tsx'
import type { Column, TableSort } from './table-column.ts'

export type { Column } from './table-column.ts'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** In pixels, of the column of checkboxes, and of one that takes its part of what is left. */
const selectWidth = 36
const leastColumn = 120

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
  marked,
  onNearEnd,
  of,
  choosable,
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
  /** The row that the address is about: it stands out, and is brought into view. */
  marked?: string | undefined
  /** Called when the last rows come into view: more of them may be asked for. */
  onNearEnd?: (() => void) | undefined
  /** All rows there are, where only some of them were asked for: `415`. */
  of?: string | undefined
  /** Lets people choose the columns, which the browser remembers under this name; all are shown when left out. */
  choosable?: string
}) {
  const [ownSort, setOwnSort] = useState<SortingState>([])
  const sorting = useMemo(
    () => (onSort ? (sort ? [{ id: sort.column, desc: sort.descending }] : []) : ownSort),
    [onSort, sort, ownSort],
  )
  const drawable = useMemo(() => allColumns.filter(({ fileOnly }) => !fileOnly), [allColumns])
  const { shown: columns, choose } = useChosenColumns(choosable, drawable)
  const leastWidth =
    columns.reduce((sum, { width = leastColumn }) => sum + width, 0) + (selected ? selectWidth : 0)
  const definitions = useMemo(
    () =>
      // Also of columns that are not shown: the order may be theirs.
      drawable.map(({ id, value, descendingFirst }) => ({
        id,
        // Undefined is what the library puts last in either order.
        accessorFn: (row: Row) => value?.(row) ?? undefined,
        enableSorting: value !== undefined,
        sortDescFirst: descendingFirst ?? false,
        sortUndefined: 'last' as const,
        sortFn: compareCells,
      })),
    [drawable],
  )
  const table = useTable({
    features,
    data: rows as Row[] & object[],
    columns: definitions as never,
    getRowId: (row: unknown) => rowId(row as Row),
    state: { sorting },
    manualSorting: isInOrder,
    onSortingChange: (update: SortingState | ((old: SortingState) => SortingState)) => {
      const next = typeof update === 'function' ? update(sorting) : update
      const [first] = next
      if (onSort) onSort(first && { column: first.id, descending: first.desc })
      else setOwnSort(next)
    },
  })
  const shown = table.getRowModel().rows
  // A state and not a ref: the rows can be told which are in view only once it is there, which is after they mount.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const scrollTo = useRef<(index: number) => void>(undefined)
  const move = rowKeys(scroller, shown.length, (index) => scrollTo.current?.(index))
  const rowOf = (index: number) => shown[index]?.original as Row | undefined
  const isAllSelected = useMemo(
    () => selected !== undefined && selected.size > 0 && shown.every(({ id }) => selected.has(id)),
    [selected, shown],
  )
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
      {/* biome-ignore lint/a11y/useSemanticElements: it is no set of fields, and no landmark beside that of its panel */}
      <div
        ref={setScroller}
        role="group"
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
            const id = shown[index]?.id
            if (id !== undefined) acts.select(id, !selected.has(id))
          }
        }}
      >
        <table
          className={`${styles.table} full small`}
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
                    isSelected={isAllSelected}
                    isIndeterminate={!isAllSelected && selected.size > 0}
                    onChange={(value) => onSelect?.(new Set(value ? shown.map(({ id }) => id) : []))}
                  />
                </th>
              )}
              {columns.map((column) => {
                const head = table.getColumn(column.id)
                return (
                  <Heading
                    key={column.id}
                    column={column}
                    direction={head?.getIsSorted() || undefined}
                    onSort={() => head?.toggleSorting()}
                  />
                )
              })}
            </tr>
          </thead>
          <TableBody
            rows={shown as readonly { id: string; original: Row }[]}
            columns={columns}
            selected={selected}
            marked={marked}
            acts={acts}
            scroller={scroller}
            scrollTo={scrollTo}
            onNearEnd={onNearEnd}
          />
        </table>
      </div>
      {(file || choosable) && (
        <footer className={`${styles.foot} row nowrap between gap-3 rule-above small`} data-screen-only>
          <span className="quiet">
            {count(shown.length)}
            {of === undefined ? '' : ` of ${of}`} {shown.length === 1 && of === undefined ? 'row' : 'rows'}
          </span>
          <span className="row nowrap gap-1">
            {choosable && <ColumnChooser columns={drawable} shown={columns} choose={choose} />}
            {file && (
              <Button small look="bare" icon={<Download size={13} aria-hidden="true" />} onPress={save}>
                CSV
              </Button>
            )}
          </span>
        </footer>
      )}
    </ProvenanceTabStop>
  )
}

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
function rowKeys(
  scroller: HTMLElement | null,
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
      requestAnimationFrame(() => scroller?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
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
