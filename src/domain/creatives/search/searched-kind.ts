import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import { type CreativeKind, columnListSql, nameColumnsSql } from '../kind.ts'
import {
  allWordsQuery,
  dateRangeQuery,
  minimumStepQuery,
  type SearchCondition,
  type SortKeyColumn,
  type SortKeyRange,
  type SortOrder,
} from './condition.ts'

/** Filters of every kind, combined with AND; several values of one with OR. A filter on a value excludes items without it. */
export interface SharedFilters {
  q?: string | undefined
  /** Digits: linked to any of these apps. */
  apps?: readonly string[] | undefined
  /** Whether this account has saved it. */
  saved?: { accountId: string; is: boolean } | undefined
}

/** The values that a text query ranks an item by. */
export interface RankingValues {
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
export interface SearchableKind<
  Filters extends SharedFilters,
  Sort extends string,
  Column extends SortKeyColumn = SortKeyColumn,
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
  narrowed?(span: SortKeyRange, filters: Filters, sort: Sort | 'recent', newestDay: Date): SortKeyRange
  /** The column with the time of the newest evidence, in seconds since 1970. */
  newest: { table: 'post_search' | 'ad_sort_keys'; column: 'published' | 'observed' }
  rankable(db: Database, numbers: readonly string[]): Promise<RankingValues[]>
}

/**
 * The condition of filters; undefined where nothing can match: a search text without a word, or a filter without a possible
 * value.
 */
export function conditionOfFilters<Filters extends SharedFilters, Sort extends string>(
  kind: SearchableKind<Filters, Sort>,
  filters: Filters,
): SearchCondition | undefined {
  const words = filters.q === undefined ? [] : [allWordsQuery(filters.q)]
  const terms = termsOf(kind, filters)
  if (!areAll(words) || !areAll(terms)) return undefined
  const { from, to } = kind.dates.asked(filters)
  const atLeast = kind.reach.asked(filters)
  return {
    words,
    terms,
    hints: [
      ...dateRangeQuery(from, to),
      ...(atLeast === undefined ? [] : minimumStepQuery(kind.reach.term, atLeast, kind.reach.steps)),
    ],
    others: [
      ...within(sql.ref(`s.${kind.orders.recent.column}`), datesAsked(kind, filters)),
      ...within(sql.ref(`t.${kind.orders[kind.reach.order].column}`), { from: atLeast }),
      ...setsOf(kind, filters).map(
        // With its own offset, Citus asks for the numbers first, of whatever shards they are on.
        ({ is, numbers }) => sql`
          ${sql.ref(`s.${kind.number}`)} ${is ? sql`in` : sql`not in`} (select * from (${numbers} offset 0) of_set)`,
      ),
    ],
    onSortKeys: atLeast !== undefined,
  }
}

const areAll = (parts: (string | undefined)[]): parts is string[] => !parts.includes(undefined)

function termsOf<Filters extends SharedFilters, Sort extends string>(
  { terms }: SearchableKind<Filters, Sort>,
  filters: Filters,
): (string | undefined)[] {
  return (Object.keys(terms) as (keyof typeof terms)[]).flatMap((name) => {
    const value = filters[name]
    return value === undefined || value === null ? [] : [terms[name]?.(value)]
  })
}

/** Null keys sort below every bound, so only an upper bound must exclude them. */
function within(key: RawBuilder<unknown>, { from, to }: SortKeyRange): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${key} >= ${from}::double precision`]),
    ...(to === undefined ? [] : [sql`${key} > '-infinity' and ${key} <= ${to}::double precision`]),
  ]
}

/** Filters on tables of their own: links, saved creatives, and those of the kind. */
function setsOf<Filters extends SharedFilters, Sort extends string>(
  kind: SearchableKind<Filters, Sort>,
  filters: Filters,
): { is: boolean; numbers: RawBuilder<unknown> }[] {
  const { apps, saved } = filters
  const number = sql.ref(kind.number)
  return [
    ...(apps
      ? [
          {
            is: true,
            numbers: sql`select ${number} from ${sql.table(kind.links)} where store_id = any(${[...apps]}::bigint[])`,
          },
        ]
      : []),
    ...(saved ? [{ is: saved.is, numbers: savedCreativeNumbers(kind, saved.accountId) }] : []),
    ...(kind.sets?.(filters) ?? []),
  ]
}

/** Numbers of the stored items that an account saved; the alias of the marks is `v`. */
export const savedCreativeNumbers = (kind: CreativeKind, accountId: string): RawBuilder<unknown> => sql`
  select i.${sql.ref(kind.number)} from ${sql.table(kind.saved)} v join ${sql.table(kind.items)} i using (${nameColumnsSql(kind)})
  where v.account_id = ${accountId}::uuid`

/** The range of an order's keys that the filters allow. */
export function sortKeyRangeOf<Filters extends SharedFilters, Sort extends string>(
  kind: SearchableKind<Filters, Sort>,
  filters: Filters,
  sort: Sort | 'recent',
): SortKeyRange {
  if (sort === 'recent') return datesAsked(kind, filters)
  return sort === kind.reach.order ? { from: kind.reach.asked(filters) } : {}
}

function datesAsked<Filters extends SharedFilters, Sort extends string>(
  { dates }: SearchableKind<Filters, Sort>,
  filters: Filters,
): SortKeyRange {
  const { from, to } = dates.asked(filters)
  return {
    from: from === undefined ? undefined : Date.parse(from) / 1000,
    to: to === undefined ? undefined : Date.parse(to) / 1000 + dates.lastDay,
  }
}

/** The search document of a creative. */
export interface SearchDocument<Column extends SortKeyColumn> {
  number: string
  terms: string[]
  /** Sort keys; null is not measured. Dates and times are seconds since 1970. */
  keys: Record<Column, number | null>
}

/** Indexes creatives, new or changed. One statement; unchanged terms are not rewritten. */
export async function writeDocuments<
  Filters extends SharedFilters,
  Sort extends string,
  Column extends SortKeyColumn,
>(
  db: Database,
  kind: SearchableKind<Filters, Sort, Column>,
  documents: readonly SearchDocument<Column>[],
): Promise<void> {
  if (documents.length === 0) return
  const sent = documents.map(({ number, terms, keys }) => ({ number, terms, ...keys }))
  const [search, sortKeys] = [keyColumns(kind, 's'), keyColumns(kind, 't')]
  const number = sql.ref(kind.number)
  await sql`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(
        number bigint, terms text[], ${columnListSql([...search, ...sortKeys], (column) => sql`${column} double precision`)})
    ), searched as (
      insert into ${sql.table(kind.search)} as s (${number}, terms, ${columnListSql(search)})
      select number, array_to_tsvector(terms), ${columnListSql(search, measured)} from sent
      on conflict (${number}) do update set terms = excluded.terms, ${columnListSql(search, taken)}
        where (s.terms, ${columnListSql(search, (column) => sql`s.${column}`)})
          is distinct from (excluded.terms, ${columnListSql(search, (column) => sql`excluded.${column}`)})
    )
    insert into ${sql.table(kind.sortKeys)} as t (${number}, ${columnListSql(sortKeys)})
    select number, ${columnListSql(sortKeys, measured)} from sent
    on conflict (${number}) do update set ${columnListSql(sortKeys, taken)}
      where (${columnListSql(sortKeys, (column) => sql`t.${column}`)})
        is distinct from (${columnListSql(sortKeys, (column) => sql`excluded.${column}`)})`.execute(db)
}

/** The sort key columns of a kind in one of the two tables. */
const keyColumns = <Filters extends SharedFilters, Sort extends string>(
  { orders }: SearchableKind<Filters, Sort>,
  table: SortOrder['table'],
): string[] =>
  Object.values<SortOrder>(orders)
    .filter((order) => order.table === table)
    .map(({ column }) => column)

const measured = (column: RawBuilder<unknown>) => sql`coalesce(${column}, '-infinity')`
const taken = (column: RawBuilder<unknown>) => sql`${column} = excluded.${column}`
