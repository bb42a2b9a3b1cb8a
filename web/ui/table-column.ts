import type { ReactNode } from 'react'
import type { CsvValue } from './csv.ts'

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
  /** Where columns can be chosen: not shown until it is. */
  hiddenAtFirst?: boolean
  /** Stands in the CSV file alone. */
  fileOnly?: boolean
}

/** The order of a table: by a column, one way or the other. */
export interface TableSort {
  column: string
  descending: boolean
}

/** The order that an address writes as `rank`, or `-rank` where it is descending. */
export const parseTableSort = (text: string | undefined): TableSort | undefined =>
  text === undefined ? undefined : { column: text.replace(/^-/, ''), descending: text.startsWith('-') }

/** How an address writes an order. */
export const tableSortText = ({ column, descending }: TableSort): string => `${descending ? '-' : ''}${column}`
