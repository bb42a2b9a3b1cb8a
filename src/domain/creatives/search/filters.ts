import { type RawBuilder, sql } from 'kysely'
import type { CreativeKind } from '../kind.ts'
import { named } from '../kind-queries.ts'
import { type Condition, spanHint, stepHint, wordsOf } from './condition.ts'
import type { Span } from './order.ts'
import type { SearchedKind, SharedFilters } from './searched-kind.ts'

/**
 * The condition of filters; undefined where nothing can match: a search text without a word, or a filter without a possible
 * value.
 */
export function conditionOf<Filters extends SharedFilters, Sort extends string>(
  kind: SearchedKind<Filters, Sort>,
  filters: Filters,
): Condition | undefined {
  const words = filters.q === undefined ? [] : [wordsOf(filters.q)]
  const terms = termsOf(kind, filters)
  if (!areAll(words) || !areAll(terms)) return undefined
  const { from, to } = kind.dates.asked(filters)
  const atLeast = kind.reach.asked(filters)
  return {
    words,
    terms,
    hints: [
      ...spanHint(from, to),
      ...(atLeast === undefined ? [] : stepHint(kind.reach.term, atLeast, kind.reach.steps)),
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
  { terms }: SearchedKind<Filters, Sort>,
  filters: Filters,
): (string | undefined)[] {
  return (Object.keys(terms) as (keyof typeof terms)[]).flatMap((name) => {
    const value = filters[name]
    return value === undefined || value === null ? [] : [terms[name]?.(value)]
  })
}

/** Null keys sort below every bound, so only an upper bound must exclude them. */
function within(key: RawBuilder<unknown>, { from, to }: Span): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${key} >= ${from}::double precision`]),
    ...(to === undefined ? [] : [sql`${key} > '-infinity' and ${key} <= ${to}::double precision`]),
  ]
}

/** Filters on tables of their own: links, saved creatives, and those of the kind. */
function setsOf<Filters extends SharedFilters, Sort extends string>(
  kind: SearchedKind<Filters, Sort>,
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
    ...(saved ? [{ is: saved.is, numbers: savedNumbers(kind, saved.accountId) }] : []),
    ...(kind.sets?.(filters) ?? []),
  ]
}

/** Numbers of the stored items that an account saved; the alias of the marks is `v`. */
export const savedNumbers = (kind: CreativeKind, accountId: string): RawBuilder<unknown> => sql`
  select i.${sql.ref(kind.number)} from ${sql.table(kind.saved)} v join ${sql.table(kind.items)} i using (${named(kind)})
  where v.account_id = ${accountId}::uuid`

/** The range of an order's keys that the filters allow. */
export function spanOf<Filters extends SharedFilters, Sort extends string>(
  kind: SearchedKind<Filters, Sort>,
  filters: Filters,
  sort: Sort | 'recent',
): Span {
  if (sort === 'recent') return datesAsked(kind, filters)
  return sort === kind.reach.order ? { from: kind.reach.asked(filters) } : {}
}

function datesAsked<Filters extends SharedFilters, Sort extends string>(
  { dates }: SearchedKind<Filters, Sort>,
  filters: Filters,
): Span {
  const { from, to } = dates.asked(filters)
  return {
    from: from === undefined ? undefined : Date.parse(from) / 1000,
    to: to === undefined ? undefined : Date.parse(to) / 1000 + dates.lastDay,
  }
}
