import type { RawBuilder } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import type { KeyColumn, SortOrder, Span } from './order.ts'

/** Filters that every kind has, combined with and; several values of one with or. One on a value leaves out what has none. */
export interface SharedFilters {
  q?: string | undefined
  /** Digits: linked to any of these apps. */
  apps?: readonly string[] | undefined
  /** Whether this account has saved it. */
  saved?: { accountId: string; is: boolean } | undefined
}

/** What an item is ranked by when a text was asked for. */
export interface Rankable {
  number: string
  /** Texts that say most about it, such as its title. */
  leading: (string | null)[]
  text: string | null
  /** As `SearchedKind.reach`; null is not measured. */
  reached: number | null
  /** As `SearchedKind.dates`, seconds since 1970. */
  date: number | null
}

/** How creatives of a kind are searched: what each filter asks for, what lists are sorted by, and what is ranked. */
export interface SearchedKind<
  Filters extends SharedFilters,
  Sort extends string,
  Column extends KeyColumn = KeyColumn,
> extends CreativeKind {
  orders: Readonly<Record<Sort | 'recent', SortOrder<Column>>>
  /** For a filter that terms answer, its part of a `tsquery`; undefined where nothing can match. */
  terms: {
    readonly [Name in Exclude<keyof Filters, keyof SharedFilters>]?: (
      value: NonNullable<Filters[Name]>,
    ) => string | undefined
  }
  /** The date that `recent` goes by. */
  dates: {
    /** The first and the last day asked for, `YYYY-MM-DD`. */
    asked(filters: Filters): { from: string | undefined; to: string | undefined }
    /** Seconds of the last day that belong to it: none where dates have no time. */
    lastDay: number
  }
  /** The number that tells how well an item did, which the table of sort keys has. */
  reach: {
    order: Sort
    /** The filter on it: at least so many. */
    asked(filters: Filters): number | undefined
    /** The kind of terms for the steps it reached. */
    term: string
    steps: readonly number[]
    /** How well an item did, 0 to 1. */
    popularity(reached: number): number
  }
  /** Numbers of items that other filters want, or do not want. */
  sets?(filters: Filters): readonly { is: boolean; numbers: RawBuilder<unknown> }[]
  /** What the filters and the moment of the search say of the keys of an order, beside what they say of every kind. */
  narrowed?(span: Span, filters: Filters, sort: Sort | 'recent', asOf: Date): Span
  /** Where the newest evidence stands, in seconds since 1970. */
  newest: { table: 'post_search' | 'ad_sort_keys'; column: 'published' | 'observed' }
  rankable(db: Database, numbers: readonly string[]): Promise<Rankable[]>
}
