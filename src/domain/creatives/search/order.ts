/** A column of keys, in one of the tables of search. */
export type KeyColumn =
  | 'published'
  | 'views'
  | 'engagement'
  | 'outlier'
  | 'started'
  | 'days_running'
  | 'observed'

/** Something a list can be sorted by, high to low; what is not measured comes last. Each has an index. */
export interface SortOrder<Column extends KeyColumn = KeyColumn> {
  /** Where the key stands: `s` is the table of terms, `t` that of sort keys. */
  table: 's' | 't'
  column: Column
  /** A term that everything has whose key is measured, as a `tsquery` writes it. */
  measured?: string
}

/** Keys that an item must have, as its filters say, so that a scan begins and ends there. Both are included. */
export interface Span {
  from?: number | undefined
  to?: number | undefined
}

/** Where a page ended. */
export interface Place {
  /** The sort key as PostgreSQL writes a double; `-Infinity` is not measured. */
  key: string
  number: string
}
