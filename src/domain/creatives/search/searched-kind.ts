import type { RawBuilder } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import type { KeyColumn, SortOrder, Span } from './order.ts'

/** Filters of every kind, combined with AND; several values of one with OR. A filter on a value excludes items without it. */
export interface SharedFilters {
  q?: string | undefined
  /** Digits: linked to any of these apps. */
  apps?: readonly string[] | undefined
  /** Whether this account has saved it. */
  saved?: { accountId: string; is: boolean } | undefined
}

/** The values that a text query ranks an item by. */
export interface Rankable {
  number: string
  /** Its leading texts, such as its title. */
  leading: (string | null)[]
  text: string | null
  /** As `SearchedKind.reach`; null is not measured. */
  reached: number | null
  /** As `SearchedKind.dates`, seconds since 1970. */
  date: number | null
}

/** How creatives of a kind are searched: its filters, sort orders and ranking. */
export interface SearchedKind<
  Filters extends SharedFilters,
  Sort extends string,
  Column extends KeyColumn = KeyColumn,
> extends CreativeKind {
  orders: Readonly<Record<Sort | 'recent', SortOrder<Column>>>
  /** Filters answered by terms, each as its part of a `tsquery`; undefined where nothing can match. */
  terms: {
    readonly [Name in Exclude<keyof Filters, keyof SharedFilters>]?: (
      value: NonNullable<Filters[Name]>,
    ) => string | undefined
  }
  /** The date behind `recent`. */
  dates: {
    /** The first and the last requested day, `YYYY-MM-DD`. */
    asked(filters: Filters): { from: string | undefined; to: string | undefined }
    /** Seconds of the last day to include: 0 where dates have no time. */
    lastDay: number
  }
  /** The number behind popularity, a column of the sort key table. */
  reach: {
    order: Sort
    /** The filter on it: a lower bound. */
    asked(filters: Filters): number | undefined
    /** The kind of its step terms. */
    term: string
    steps: readonly number[]
    /** Popularity, 0 to 1. */
    popularity(reached: number): number
  }
  /** Numbers of items that other filters include or exclude. */
  sets?(filters: Filters): readonly { is: boolean; numbers: RawBuilder<unknown> }[]
  /** Narrows the key range of an order by the filters of this kind and the day of the newest evidence. */
  narrowed?(span: Span, filters: Filters, sort: Sort | 'recent', newestDay: Date): Span
  /** The column with the time of the newest evidence, in seconds since 1970. */
  newest: { table: 'post_search' | 'ad_sort_keys'; column: 'published' | 'observed' }
  rankable(db: Database, numbers: readonly string[]): Promise<Rankable[]>
}
