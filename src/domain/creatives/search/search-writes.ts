import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import { each } from '../kind.ts'
import type { KeyColumn, SortOrder } from './condition.ts'
import type { SearchedKind, SharedFilters } from './searched-kind.ts'

/** The search document of a creative. */
export interface SearchDocument<Column extends KeyColumn> {
  number: string
  terms: string[]
  /** Sort keys; null is not measured. Dates and times are seconds since 1970. */
  keys: Record<Column, number | null>
}

/** Indexes creatives, new or changed. One statement; unchanged terms are not rewritten. */
export async function writeDocuments<
  Filters extends SharedFilters,
  Sort extends string,
  Column extends KeyColumn,
>(
  db: Database,
  kind: SearchedKind<Filters, Sort, Column>,
  documents: readonly SearchDocument<Column>[],
): Promise<void> {
  if (documents.length === 0) return
  const sent = documents.map(({ number, terms, keys }) => ({ number, terms, ...keys }))
  const [search, sortKeys] = [keyColumns(kind, 's'), keyColumns(kind, 't')]
  const number = sql.ref(kind.number)
  await sql`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(
        number bigint, terms text[], ${each([...search, ...sortKeys], (column) => sql`${column} double precision`)})
    ), searched as (
      insert into ${sql.table(kind.search)} as s (${number}, terms, ${each(search)})
      select number, array_to_tsvector(terms), ${each(search, measured)} from sent
      on conflict (${number}) do update set terms = excluded.terms, ${each(search, taken)}
        where (s.terms, ${each(search, (column) => sql`s.${column}`)})
          is distinct from (excluded.terms, ${each(search, (column) => sql`excluded.${column}`)})
    )
    insert into ${sql.table(kind.sortKeys)} as t (${number}, ${each(sortKeys)})
    select number, ${each(sortKeys, measured)} from sent
    on conflict (${number}) do update set ${each(sortKeys, taken)}
      where (${each(sortKeys, (column) => sql`t.${column}`)})
        is distinct from (${each(sortKeys, (column) => sql`excluded.${column}`)})`.execute(db)
}

/** The sort key columns of a kind in one of the two tables. */
const keyColumns = <Filters extends SharedFilters, Sort extends string>(
  { orders }: SearchedKind<Filters, Sort>,
  table: SortOrder['table'],
): string[] =>
  Object.values<SortOrder>(orders)
    .filter((order) => order.table === table)
    .map(({ column }) => column)

const measured = (column: RawBuilder<unknown>) => sql`coalesce(${column}, '-infinity')`
const taken = (column: RawBuilder<unknown>) => sql`${column} = excluded.${column}`
