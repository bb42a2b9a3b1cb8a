import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import {
  type CursorPosition,
  matchesCondition,
  matchesConditionOfFew,
  type SearchCondition,
  type SortKeyRange,
  type SortOrder,
} from './condition.ts'

/** A request for a page of a list. */
export interface PageQuery {
  condition: SearchCondition
  order: SortOrder
  span: SortKeyRange
  after: CursorPosition | undefined
  limit: number
}

/** The two parts of a list: rows with a key, then rows without one. */
export type ListPart = 'measured' | 'rest'

const number = (of: 's' | 'w', kind: CreativeKind) => sql`${sql.raw(of)}.${sql.ref(kind.number)}`
const keyOf = (order: SortOrder) => sql`${sql.raw(order.table)}.${sql.ref(order.column)}`
/** A nested lookup for each row of `s`: a planner that expects many rows would scan the whole table. */
const sortKeysLookedUp = (kind: CreativeKind) => sql`
  cross join lateral (
    select * from ${sql.table(kind.sortKeys)} one where one.${sql.ref(kind.number)} = ${number('s', kind)} offset 0
  ) t`
const needsSortKeys = ({ condition, order }: PageQuery) => order.table === 't' || condition.onSortKeys

function beyond(
  key: RawBuilder<unknown>,
  number: RawBuilder<unknown>,
  { span, after }: PageQuery,
): RawBuilder<boolean> {
  const clauses = [sql`true`]
  if (span.from !== undefined) clauses.push(sql`${key} >= ${span.from}::double precision`)
  if (span.to !== undefined) clauses.push(sql`${key} <= ${span.to}::double precision`)
  if (after) clauses.push(sql`(${key}, ${number}) < (${after.key}::double precision, ${after.number}::bigint)`)
  return sql`${sql.join(clauses, sql` and `)}`
}

/** One row in this many belongs to the sample; the partial indexes of the sample use the same number. */
export const sampleInterval = 512

/** The sample's estimate of one part of a list. All are counts of sampled rows. */
export interface SampleEstimate {
  part: ListPart
  found: number
  /** Rows that match the terms, which is what a fetch reads. */
  fetched: number
  /** Rows that a scan would read to the end. */
  ahead: number
  /** Positions, counted from the start of the scan, of the first matches; at most eight. */
  places: number[]
}

/**
 * Reads a fixed sample of rows, once for several queries: how many rows match their conditions, and at which positions of
 * their orders. @returns one result for each query
 */
export async function estimateBySample(
  db: Database,
  kind: CreativeKind,
  queries: readonly PageQuery[],
): Promise<SampleEstimate[][]> {
  const conditions = [...new Set(queries.map(({ condition }) => condition))]
  const met = (at: number) => sql.ref(`found_${at}`)
  const keys = queries.map(({ order }, at) => sql`${keyOf(order)} as ${sql.ref(`key_${at}`)}`)
  const found = conditions.map((condition, at) => sql`(${matchesCondition(condition)}) is true as ${met(at)}`)
  const fetched = conditions.map(
    (condition, at) => sql`(${matchesCondition(byTerms(condition))}) is true as ${sql.ref(`fetched_${at}`)}`,
  )
  const samples = queries.map((query, at) => {
    const key = sql.ref(`key_${at}`)
    const of = conditions.indexOf(query.condition)
    return sql`
      select ${at}::int as query, case when measured then 'measured' else 'rest' end as part,
        count(*) filter (where found)::int as found, count(*) filter (where fetched)::int as fetched,
        count(*) filter (where ahead)::int as ahead,
        to_json((array_agg(place order by place) filter (where found and ahead))[1:8]) as places
      from (
        select found, fetched, ahead, measured,
          row_number() over (partition by measured, ahead order by key desc, number desc)::int as place
        from (
          select ${key} as key, number, ${met(of)} as found, ${sql.ref(`fetched_${of}`)} as fetched, ${key} > '-infinity' as measured,
            (${beyond(key, sql`number`, query)}) as ahead
          from sample
        ) known
      ) placed
      group by measured`
  })
  const parts = await rows(
    db,
    sql<Omit<SampleEstimate, 'places'> & { query: number; places: number[] | null }>`
      with sample as materialized (
        select ${number('s', kind)} as number, ${sql.join([...keys, ...found, ...fetched])} ${sampledRows(kind)}
      )
      ${sql.join(samples, sql` union all `)}`,
  )
  return queries.map((_, at) =>
    parts.filter(({ query }) => query === at).map((part) => ({ ...part, places: part.places ?? [] })),
  )
}

/** The sample of both tables, each read from its own index: looking up the keys row by row takes four times as long. */
const sampledRows = (kind: CreativeKind) => {
  const sampled = sql`${sql.ref(kind.number)} % ${sql.raw(String(sampleInterval))} = 0`
  return sql`
    from (select * from ${sql.table(kind.search)} where ${sampled}) s
    join (select * from ${sql.table(kind.sortKeys)} where ${sampled} offset 0) t using (${sql.ref(kind.number)})`
}

/** Counts of sampled rows. */
export interface SampleCounts {
  rows: number
  /** Rows that match each condition. */
  found: number[]
  /** Rows whose key in each order is at least each of its floors. */
  above: number[][]
  /** The key in each order of the row at the place `scannedRows` of the sample; null where fewer have one. */
  scanFloors: (number | null)[]
}

/** Number of sampled rows with the highest keys of an order that a scan for candidates covers: some 4,000 of all rows. */
const scannedRows = 8

/** Counts in the same sample: rows that match conditions, and rows above given keys of orders. */
export async function countInSample(
  db: Database,
  kind: CreativeKind,
  conditions: readonly SearchCondition[],
  orders: readonly { order: SortOrder; floors: readonly number[] }[],
): Promise<SampleCounts> {
  const counted = (what: RawBuilder<unknown>) => sql`count(*) filter (where ${what})::int`
  const found = conditions.map((condition) => counted(matchesCondition(condition)))
  const above = orders.map(
    ({ order, floors }) =>
      sql`json_build_array(${sql.join(floors.map((floor) => counted(sql`${keyOf(order)} >= ${floor}::double precision`)))})`,
  )
  const scanFloors = orders.map(({ order }) => {
    const key = keyOf(order)
    return sql`(array_agg(${key} order by ${key} desc) filter (where ${inPart('measured', key)}))[${sql.lit(scannedRows)}]`
  })
  const tally = await firstRow(
    db,
    sql<SampleCounts>`
      select count(*)::int as rows, json_build_array(${sql.join(found)}) as found,
        json_build_array(${sql.join(above)}) as above, json_build_array(${sql.join(scanFloors)}) as "scanFloors"
      ${sampledRows(kind)}`,
  )
  return tally ?? { rows: 0, found: [], above: [], scanFloors: [] }
}

/** The part of a condition that the index of terms can check. */
const byTerms = (condition: SearchCondition): SearchCondition => ({
  ...condition,
  terms: [...condition.terms, ...condition.hints],
  others: [],
})

/** Fetches all matches and sorts them: fast with few matches, and counts them on the way. */
export async function fetchPage(
  db: Database,
  kind: CreativeKind,
  query: PageQuery,
  part?: ListPart,
): Promise<{ places: CursorPosition[]; matches: number }> {
  const { condition, order, limit } = query
  const key = keyOf(order)
  const narrowed: SearchCondition = {
    ...condition,
    terms: [
      ...condition.terms,
      ...condition.hints,
      ...(part === 'measured' && order.measured ? [order.measured] : []),
    ],
    others: [...condition.others, ...(part ? [inPart(part, key)] : [])],
  }
  const found = await firstRow(
    db,
    sql<{ places: CursorPosition[] | null; matches: number }>`
      with found as materialized (
        select ${number('s', kind)} as number, ${key} as key
        from ${sql.table(kind.search)} s ${needsSortKeys(query) ? sortKeysLookedUp(kind) : sql``}
        where ${matchesConditionOfFew(narrowed)}
      )
      select (select count(*)::int from found) as matches, (
        select json_agg(json_build_object('key', key::text, 'number', number::text) order by key desc, number desc)
        from (
          select key, number from found where ${beyond(sql`key`, sql`number`, query)}
          order by key desc, number desc limit ${limit}
        ) page
      ) as places`,
  )
  return { places: found?.places ?? [], matches: found?.matches ?? 0 }
}

/** Rows to rank, and how many matches they were chosen from. */
export interface CandidateRows {
  numbers: string[]
  matches: number
}

/**
 * Fetches all matches, and of those the first in each order: matches of the leading part of a `tsquery` before the others.
 * @param whole up to this number of matches all are returned, otherwise `each` of each order
 */
export async function fetchCandidates(
  db: Database,
  kind: CreativeKind,
  condition: SearchCondition,
  leading: string,
  orders: readonly SortOrder[],
  { each, whole }: { each: number; whole: number },
): Promise<CandidateRows> {
  const narrowed = { ...condition, terms: [...condition.terms, ...condition.hints] }
  const keys = orders.map((order, at) => sql`${keyOf(order)} as ${sql.ref(`key_${at}`)}`)
  const firsts = orders.map(
    (_, at) => sql`
      (select number from found order by leads desc, ${sql.ref(`key_${at}`)} desc, number desc
        limit case when (select count(*) from found) <= ${whole}::int then ${whole}::int else ${each}::int end)`,
  )
  const found = await firstRow(
    db,
    sql<{ numbers: string[] | null; matches: number }>`
      with found as materialized (
        select ${number('s', kind)} as number, s.terms @@ ${leading}::tsquery as leads, ${sql.join(keys)}
        from ${sql.table(kind.search)} s ${sortKeysLookedUp(kind)}
        where ${matchesConditionOfFew(narrowed)}
      )
      select (select count(*)::int from found) as matches,
        (select json_agg(number::text) from (${sql.join(firsts, sql` union `)}) chosen) as numbers`,
  )
  return { numbers: found?.numbers ?? [], matches: found?.matches ?? 0 }
}

/** Some of the matches, in any order. The CTE keeps the planner from optimising for the limit. */
export async function fetchAnyMatches(
  db: Database,
  kind: CreativeKind,
  condition: SearchCondition,
  limit: number,
): Promise<string[]> {
  const narrowed = { ...condition, terms: [...condition.terms, ...condition.hints] }
  const found = await rows(
    db,
    sql<{ number: string }>`
      with found as materialized (
        select ${number('s', kind)} as number
        from ${sql.table(kind.search)} s ${condition.onSortKeys ? sortKeysLookedUp(kind) : sql``}
        where ${matchesConditionOfFew(narrowed)}
      )
      select number::text as number from found limit ${limit}`,
  )
  return found.map((row) => row.number)
}

const inPart = (part: ListPart, key: RawBuilder<unknown>) =>
  part === 'measured' ? sql`${key} > '-infinity'` : sql`${key} = '-infinity'`

/**
 * Scans the index of an order, checks each row and stops at `limit`: fast with many matches. The condition is checked in a
 * lookup of each row by its number: a planner that sees the condition may expect so few matches that it sorts the whole
 * table.
 */
export function scanPage(
  db: Database,
  kind: CreativeKind,
  query: PageQuery,
  part: ListPart,
): Promise<CursorPosition[]> {
  const { condition, order, limit } = query
  const key = sql`w.${sql.ref(order.column)}`
  return rows(
    db,
    sql<CursorPosition>`
      select ${key}::text as key, ${number('w', kind)}::text as number
      from ${sql.table(order.table === 's' ? kind.search : kind.sortKeys)} w
      cross join lateral (
        select (${matchesCondition(condition)}) as matches
        from ${sql.table(kind.search)} s ${condition.onSortKeys ? sql`join ${sql.table(kind.sortKeys)} t using (${sql.ref(kind.number)})` : sql``}
        where ${number('s', kind)} = ${number('w', kind)} offset 0
      ) looked_up
      where ${inPart(part, key)} and ${beyond(key, number('w', kind), query)} and looked_up.matches
      order by ${key} desc, ${number('w', kind)} desc
      limit ${limit}`,
  )
}
