import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { lockReadingsForWriting } from '../evidence/queries.ts'

/**
 * A kind of creative: its tables and its identifying columns. Everything the kinds share is implemented once, in terms of
 * this.
 */
export interface CreativeKind<Name extends object = object, Found extends object = object> {
  /** One row for each creative. */
  items: 'posts' | 'ads'
  /** The column with the number of a creative in each of the tables, valid until the next replay. */
  number: 'post_number' | 'ad_number'
  /** The permanent identity of a creative, also where accounts saved it: callers' field names by column. */
  name: { readonly [Field in keyof Name & string]: string }
  /** Other columns for looking up a creative. */
  foundBy: { readonly [Field in keyof Found & string]: string }
  search: 'post_search' | 'ad_search'
  sortKeys: 'post_sort_keys' | 'ad_sort_keys'
  /** The table of attributions; of two competing ones these columns decide before the time. */
  attributions: { table: 'post_grounds' | 'ad_grounds'; first: readonly 'brought'[] }
  /** The table of links to apps, after all decisions. */
  links: 'post_links' | 'ad_links'
  saved: 'saved_posts' | 'saved_ads'
}

/** The columns that identify a creative, in a fixed order. */
export const nameColumns = ({ name }: CreativeKind): string[] => Object.values<string>(name)

/** The identifying columns of the table or alias `of`. */
export const nameColumnsSql = (kind: CreativeKind, of?: string): RawBuilder<unknown> =>
  sql.join(nameColumns(kind).map((column) => sql.ref(of === undefined ? column : `${of}.${column}`)))

/** A list of columns in SQL, each rendered by `write`. */
export const columnListSql = (
  columns: readonly string[],
  write: (column: RawBuilder<unknown>) => RawBuilder<unknown> = (column) => column,
): RawBuilder<unknown> => sql.join(columns.map((column) => write(sql.ref(column))))

/** A name as values by column. */
export const nameByColumn = <Name extends object>(
  kind: CreativeKind<Name>,
  name: Name,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<string>(kind.name).map(([field, column]) => [column, name[field as keyof Name]]),
  )

/** Whether the identifying columns match this name. */
export const matchesName = <Name extends object>(kind: CreativeKind<Name>, name: Name): RawBuilder<boolean> =>
  sql`(${nameColumnsSql(kind)}) = (${sql.join(Object.values(nameByColumn(kind, name)))})`

/**
 * Takes the writer lock of a kind, until the transaction ends: known values are read, merged and written back. Its holder
 * may go on to store readings.
 */
export async function lockCreativeKind(db: Database, { items }: CreativeKind): Promise<void> {
  await lockReadingsForWriting(db)
  await sql`select pg_advisory_xact_lock(hashtext(${`rivalscope ${items}`}))`.execute(db)
}

/** The number of a creative, valid until the next replay; undefined when it is not stored. */
export async function creativeNumberOf<Name extends object>(
  db: Database,
  kind: CreativeKind<Name>,
  name: Name,
): Promise<string | undefined> {
  const found = await firstRow(
    db,
    sql<{ number: string }>`
      select ${sql.ref(kind.number)}::text as number from ${sql.table(kind.items)} where ${matchesName(kind, name)}`,
  )
  return found?.number
}

/** The creatives to scan: all, or those of an account or an app. */
interface CreativeScan {
  /** Only what this account saved. */
  savedBy?: string
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Numbers of the creatives after one, `0` for the first, ascending. Empty at the end. */
export async function creativeNumbersAfter(
  db: Database,
  kind: CreativeKind,
  { savedBy, storeId }: CreativeScan,
  after: string,
  limit: number,
): Promise<string[]> {
  const number = sql.ref(`i.${kind.number}`)
  const isSaved = savedBy
    ? sql`(${nameColumnsSql(kind, 'i')}) in (select ${nameColumnsSql(kind)} from ${sql.table(kind.saved)} where account_id = ${savedBy}::uuid)`
    : sql`true`
  const isLinked = storeId
    ? sql`exists (select 1 from ${sql.table(kind.links)} l
        where l.store_id = ${bigintId(storeId)} and ${sql.ref(`l.${kind.number}`)} = ${number})`
    : sql`true`
  const found = await rows(
    db,
    sql<{ number: string }>`
      select ${number}::text as number from ${sql.table(kind.items)} i
      where ${number} > ${after}::bigint and ${isSaved} and ${isLinked} order by ${number} limit ${limit}`,
  )
  return found.map((row) => row.number)
}

/**
 * How many stored creatives are linked to an app after all decisions; null while this installation has not stored any
 * creative of the kind, because then it was never looked for.
 */
export const linkedCreativeCount = (kind: CreativeKind, storeId: string) => sql<number | null>`
  (select case when exists (select 1 from ${sql.table(kind.items)}) then (
    select count(*)::int from (
      select distinct ${sql.ref(kind.number)} from ${sql.table(kind.links)} where store_id = ${bigintId(storeId)}
    ) linked) end)`
