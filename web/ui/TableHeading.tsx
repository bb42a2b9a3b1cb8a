import type { ReactNode } from 'react'
import styles from './DataTable.module.css'
import { ArrowDown, ArrowUp } from './icons.ts'

/** The heading of a column, which sorts by it where it has values. */
export function Heading({
  column,
  direction,
  onSort,
}: {
  column: { name: string; heading?: ReactNode; align?: 'start' | 'end'; value?: unknown }
  /** Undefined where the table is in another order. */
  direction: 'asc' | 'desc' | undefined
  onSort: () => void
}) {
  return (
    <th
      scope="col"
      className={column.align === 'end' ? 'end' : ''}
      {...(direction ? { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' } : {})}
    >
      {column.value ? (
        <button type="button" className={`${styles.sort} line gap-1`} onClick={onSort}>
          <HeadingText column={column} />
          {direction === 'asc' && <ArrowUp size={12} aria-hidden="true" />}
          {direction === 'desc' && <ArrowDown size={12} aria-hidden="true" />}
        </button>
      ) : (
        <HeadingText column={column} />
      )}
    </th>
  )
}

const HeadingText = ({ column: { name, heading } }: { column: { name: string; heading?: ReactNode } }) =>
  heading === undefined ? (
    name
  ) : (
    <>
      <span aria-hidden="true">{heading}</span>
      <span className="hidden">{name}</span>
    </>
  )
