import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import type { Known } from '../facts/merge.ts'
import { type CreativeKind, columnListSql, nameColumnsSql } from './kind.ts'

/** A creative with its merged facts, and one account's note and tags. */
export interface KnownCreative<Fields> extends Known<Fields> {
  number: string
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
  /** Null when the account has not saved it. */
  savedAt: Date | null
  note: string | null
  tags: string[] | null
}

/** An observation of a creative, and its reading. */
export interface StoredObservation extends KeyedReading {
  number: string
  observedAt: Date
}

/** The queries that load creatives of a kind for display. */
export interface DisplayQueries<Item extends { number: string }, Seen, Attribution extends { number: string }>
  extends CreativeKind {
  /** The observation columns besides time and reading; the alias of the table is `o`. */
  observed: { table: 'post_metrics' | 'ad_observations'; columns: RawBuilder<Seen> }
  /** Unordered; unknown numbers are left out. */
  itemsOf(db: Database, accountId: string, numbers: readonly string[]): Promise<Item[]>
  /** Attributions, unordered. */
  attributionsOf(db: Database, numbers: readonly string[]): Promise<Attribution[]>
}

/** A creative with its observations, newest first, and its attributions. */
export interface StoredCreative<Item, Seen, Attribution> {
  item: Item
  observations: (StoredObservation & Seen)[]
  attributions: Attribution[]
}

/**
 * Creatives in the order of the numbers; unknown numbers are left out. Takes the same few queries for one and for a
 * hundred.
 * @param most observations of each; null for all
 */
export async function storedCreatives<
  Item extends { number: string },
  Seen,
  Attribution extends { number: string },
>(
  db: Database,
  kind: DisplayQueries<Item, Seen, Attribution>,
  accountId: string,
  numbers: readonly string[],
  most: number | null,
): Promise<StoredCreative<Item, Seen, Attribution>[]> {
  const [items, seen, attributions] = await Promise.all([
    kind.itemsOf(db, accountId, numbers),
    observationsOf(db, kind, numbers, most),
    kind.attributionsOf(db, numbers),
  ])
  const itemOf = new Map(items.map((item) => [item.number, item]))
  const seenOf = Map.groupBy(seen, ({ number }) => number)
  const attributionsOf = Map.groupBy(attributions, ({ number }) => number)
  return numbers.flatMap((number) => {
    const [item, observations] = [itemOf.get(number), seenOf.get(number)]
    // A replay that starts after the first query leaves a creative without observations.
    return item && observations ? [{ item, observations, attributions: attributionsOf.get(number) ?? [] }] : []
  })
}

function observationsOf<Seen>(
  db: Database,
  {
    items,
    number,
    observed: { table, columns },
  }: Pick<DisplayQueries<never, Seen, never>, 'items' | 'number' | 'observed'>,
  numbers: readonly string[],
  most: number | null,
): Promise<(StoredObservation & Seen)[]> {
  return rows(
    db,
    sql<StoredObservation & Seen>`
      with o as materialized (
        select i.${sql.ref(number)} as number, seen.*
        from ${sql.table(items)} i
        cross join lateral (
          select * from ${sql.table(table)}
          where ${sql.ref(number)} = i.${sql.ref(number)} order by observed_at desc limit ${most}
        ) seen
        where i.${sql.ref(number)} = any(${numbers}::bigint[])
      )
      select o.number::text as number, o.observed_at as "observedAt", ${columns},
        ${namedReadingAt(sql`r`, sql`o.observed_at`)}
      from o join readings r using (reading_id)
      order by o.number, o.observed_at desc`,
  )
}

/** The columns of a `KnownCreative`, with its name; see `creativesWithMarks`. */
export const knownCreativeColumns = (kind: CreativeKind): RawBuilder<unknown> => sql`
  ${sql.ref(`i.${kind.number}`)}::text as number, ${nameFields(kind)}, i.facts, i.evidence, i.unreadable,
  i.first_observed_at as "firstObservedAt", i.last_observed_at as "lastObservedAt",
  i.observation_count as "observationCount", s.saved_at as "savedAt", s.note, to_json(s.tags) as tags`

/** A materialized list `i` of the creatives of these numbers, in no order. */
export const requestedCreatives = (kind: CreativeKind, numbers: readonly string[]): RawBuilder<unknown> => sql`
  i as materialized (
    select * from ${sql.table(kind.items)} where ${sql.ref(kind.number)} = any(${numbers}::bigint[]))`

/** The creatives of `requestedCreatives`, each with an account's note and tags, alias `s`. */
export const creativesWithMarks = (kind: CreativeKind, accountId: string): RawBuilder<unknown> => sql`
  i left join ${sql.table(kind.saved)} s
    on s.account_id = ${accountId}::uuid and (${nameColumnsSql(kind, 's')}) = (${nameColumnsSql(kind, 'i')})`

const nameFields = ({ name }: CreativeKind) =>
  sql.join(
    Object.entries<string>(name).map(([field, column]) => sql`${sql.ref(`i.${column}`)} as ${sql.ref(field)}`),
  )

/** The columns written for a creative besides its name. */
interface CreativeToWrite {
  facts: object
  evidence: readonly object[]
  unreadable?: readonly string[] | null
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
}

/** Inserts or updates creatives, each once. @returns their numbers, in the same order */
export async function writeCreatives<Name extends object, Found extends object>(
  db: Database,
  kind: CreativeKind<Name, Found>,
  creatives: readonly (Name & Found & CreativeToWrite)[],
): Promise<string[]> {
  if (creatives.length === 0) return []
  const columns = { ...kind.name, ...kind.foundBy }
  const sent = creatives.map((creative, place) => ({
    ...creative,
    ...Object.fromEntries(
      Object.entries<string>(columns).map(([field, column]) => [column, creative[field as keyof Name]]),
    ),
    place,
  }))
  const found = columnListSql(Object.values<string>(kind.foundBy))
  const texts = columnListSql(Object.values<string>(columns), (column) => sql`${column} text`)
  const written = await rows(
    db,
    sql<{ number: string }>`
      with sent as materialized (
        select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(${texts}, facts jsonb, evidence jsonb, unreadable text[],
          "firstObservedAt" timestamptz, "lastObservedAt" timestamptz, "observationCount" integer, place integer)
      ), written as (
        insert into ${sql.table(kind.items)} (${sql.ref(kind.number)}, ${nameColumnsSql(kind)}, ${found}, facts, evidence, unreadable,
          first_observed_at, last_observed_at, observation_count)
        select number_of_name(concat_ws(' ', ${nameColumnsSql(kind)})), ${nameColumnsSql(kind)}, ${found}, facts, evidence, unreadable,
          "firstObservedAt", "lastObservedAt", "observationCount"
        from sent
        on conflict (${nameColumnsSql(kind)}, ${sql.ref(kind.number)}) do update
          set ${columnListSql(Object.values<string>(kind.foundBy), (column) => sql`${column} = excluded.${column}`)},
            facts = excluded.facts, evidence = excluded.evidence, unreadable = excluded.unreadable,
            first_observed_at = excluded.first_observed_at, last_observed_at = excluded.last_observed_at, observation_count = excluded.observation_count
        returning ${sql.ref(kind.number)} as number, ${nameColumnsSql(kind)}
      )
      select number::text as number from sent join written using (${nameColumnsSql(kind)}) order by place`,
  )
  return written.map(({ number }) => number)
}
