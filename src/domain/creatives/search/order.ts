/** A key column of one of the search tables. */
export type KeyColumn =
  | 'published'
  | 'views'
  | 'engagement'
  | 'outlier'
  | 'started'
  | 'days_running'
  | 'observed'

/** A sort order, descending, nulls last. Each has an index. */
export interface SortOrder<Column extends KeyColumn = KeyColumn> {
  /** The table of the key: `s` is the table of terms, `t` that of sort keys. */
  table: 's' | 't'
  column: Column
  /** A term of every row with a key, as a `tsquery` writes it. */
  measured?: string
}

/** The range of keys required by the filters, which bounds a scan. Both ends are included. */
export interface Span {
  from?: number | undefined
  to?: number | undefined
}

/** Cursor: the last row of a page. */
export interface Place {
  /** The sort key as PostgreSQL formats a double; `-Infinity` is null. */
  key: string
  number: string
  /** For relevance: whether the row is among the unranked matches, which follow the ranked ones. */
  isUnranked?: boolean
}
