import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../database.ts'
import { tablesOfMigrations } from '../migrate.ts'
import { monthsOfTables } from '../months.ts'

/** A table of the store, with what is needed to copy its rows. */
export interface StoredTable {
  name: string
  /** Columns that hold a value of their own, not generated ones. */
  columns: string[]
  /** The months of its partitions, `YYYY-MM`; empty for a table that is not partitioned by month. */
  months: string[]
  /** The identity column and the last value of its sequence; null for a table without one. */
  numbered: Numbered | null
}

export interface Numbered {
  column: string
  /** A bigint. */
  lastValue: string
  isCalled: boolean
}

/** The tables that migrations create, with those that others refer to first. Tables of others in the same schema are left out. */
export async function storedTables(db: Database): Promise<StoredTable[]> {
  const names = await tableNames(db)
  const months = await monthsOfTables(db)
  const columns = await rows(
    db,
    sql<{ table: string; columns: string[]; numbered: string | null; sequence: string | null }>`
      select relname as table, array_agg(attname::text order by attname) as columns,
        min(attname::text) filter (where attidentity <> '') as numbered,
        min(pg_get_serial_sequence(quote_ident(relname), attname)) filter (where attidentity <> '') as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where relnamespace = 'public'::regnamespace and relname = any(${names}) and attnum > 0 and not attisdropped
        and attgenerated = ''
      group by relname`,
  )
  const found = new Map(columns.map((one) => [one.table, one]))
  const stored: StoredTable[] = []
  for (const name of names) {
    const { columns: own = [], numbered = null, sequence = null } = found.get(name) ?? {}
    const stands = sequence === null ? undefined : await sequenceAt(db, sequence)
    stored.push({
      name,
      columns: own,
      months: months.get(name) ?? [],
      numbered: numbered === null || !stands ? null : { column: numbered, ...stands },
    })
  }
  return stored
}

/** The names of the tables of the store, with those that others refer to first. */
export async function tableNames(db: Database): Promise<string[]> {
  const ours = await tablesOfMigrations()
  const tables = await rows(
    db,
    sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const references = await rows(
    db,
    sql<{ from: string; to: string }>`
      select f.relname as from, t.relname as to
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid <> k.confrelid`,
  )
  const left = new Set(tables.map(({ name }) => name).filter((name) => ours.has(name)))
  const ordered: string[] = []
  while (left.size > 0) {
    const free = [...left].filter((name) => !references.some(({ from, to }) => from === name && left.has(to)))
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left].join(', ')}.`)
    for (const name of free) left.delete(name)
    ordered.push(...free)
  }
  return ordered
}

async function sequenceAt(
  db: Database,
  sequence: string,
): Promise<Pick<Numbered, 'lastValue' | 'isCalled'> | undefined> {
  return firstRow(
    db,
    sql<Pick<Numbered, 'lastValue' | 'isCalled'>>`
      select last_value::text as "lastValue", is_called as "isCalled" from ${sql.raw(sequence)}`,
  )
}

/** Sets the sequence of an identity column to its last value. */
export async function setSequence(db: Database, table: string, numbered: Numbered): Promise<void> {
  const { column, lastValue, isCalled } = numbered
  await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), ${lastValue}::bigint, ${isCalled})`.execute(
    db,
  )
}

/** PostgreSQL's estimate of the rows of these tables, from its statistics. */
export async function estimatedRows(db: Database, tables: readonly string[]): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ rows: number }>`
      select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
      where relkind = 'r' and (relname = any(${[...tables]}) and relnamespace = 'public'::regnamespace
        or oid in (select inhrelid from pg_inherits i join pg_class p on p.oid = i.inhparent
          where p.relname = any(${[...tables]})))`,
  )
  return Math.round(found?.rows ?? 0)
}

/** Tables into which migrations insert rows. */
const heldByEmptyStores = new Set(['store_secret'])

/** The tables that hold rows; none in a newly created store. */
export async function nonEmptyTables(db: Database): Promise<string[]> {
  const filled: string[] = []
  for (const name of await tableNames(db)) {
    if (heldByEmptyStores.has(name)) continue
    const found = await firstRow(
      db,
      sql<{ isFilled: boolean }>`select exists (select from ${sql.table(name)}) as "isFilled"`,
    )
    if (found?.isFilled) filled.push(name)
  }
  return filled
}

/** Whether the rows of a store lie on the nodes of a cluster. */
export async function isDistributed(db: Database): Promise<boolean> {
  const there = await firstRow(
    db,
    sql<{ there: boolean }>`select to_regclass('pg_dist_partition') is not null as there`,
  )
  if (!there?.there) return false
  const found = await firstRow(db, sql`select from pg_dist_partition limit 1`)
  return found !== undefined
}

/** The application names of the other commands that have the store open. */
export async function otherUsersOf(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'rivalscope%'
        and application_name <> current_setting('application_name')
      order by 1`,
  )
  return found.map(({ name }) => name)
}

/** Performs work under a named lock if the lock is free; undefined where another process holds it. */
export async function withLockIfFree<T>(
  db: Database,
  name: string,
  perform: () => Promise<T>,
): Promise<{ result: T } | undefined> {
  return inTransaction(db, async (held) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    const found = await firstRow(
      held,
      sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtext(${`rivalscope ${name}`})) as free`,
    )
    return found?.free ? { result: await perform() } : undefined
  })
}
