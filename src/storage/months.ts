import { type RawBuilder, sql } from 'kysely'
import { bytesOnDisk, distributeColocated } from './colocation.ts'
import { type Database, rows } from './database.ts'

/** The tables that are partitioned by month, and how the lower bound of a month is written in the partition key. */
const boundaryOf = {
  payloads: (month: string) => `${month}-01`,
  readings: (month: string) => firstIdOf(month),
  chart_months: (month: string) => `${month}-01`,
  estimates: (month: string) => `${month}-01`,
} as const

/**
 * Creates the missing partitions of months, `YYYY-MM`, in the caller's transaction. A partition is created as a table and
 * then attached, so that reads and writes of other months do not wait for the transaction. Two processes may call this at
 * once; the second waits and finds it done.
 */
export async function ensureMonths(
  db: Database,
  tables: readonly (keyof typeof boundaryOf)[],
  months: Iterable<string>,
): Promise<void> {
  const wanted = [...new Set(months)].sort()
  const parts = await partsOf(db, tables)
  for (const table of tables)
    if (wanted.some((month) => !parts.has(partOf(table, month)))) await makeMonths(db, table, wanted)
}

async function makeMonths(
  db: Database,
  table: keyof typeof boundaryOf,
  wanted: readonly string[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`rivalscope months of ${table}`}))`.execute(db)
  const parts = await partsOf(db, [table])
  for (const month of wanted.filter((one) => !parts.has(partOf(table, one)))) {
    const part = sql.table(partOf(table, month))
    const [from, to] = [month, monthAfter(month)].map((bound) => sql.lit(boundaryOf[table](bound)))
    await sql`create table ${part} (like ${sql.table(table)} including all) ${roomOf(table)}`.execute(db)
    await sql`alter table ${sql.table(table)} attach partition ${part} for values from (${from}) to (${to})`.execute(
      db,
    )
  }
}

/**
 * Fill factors, in percent, of tables whose rows are updated often, which leaves room for new row versions. Arrays of ranks
 * grow each day: 65 takes the least space and WAL (bench/ranks.ts, with 50, 65, 80 and 100).
 */
export const fillFactors = { estimates: 80, chart_months: 65 } as const

const roomOf = (table: string) =>
  table in fillFactors
    ? sql`with (fillfactor = ${sql.lit(fillFactors[table as keyof typeof fillFactors])})`
    : sql``

const partOf = (table: string, month: string) => `${table}_${month.replace('-', '_')}`

async function partsOf(db: Database, tables: readonly string[]): Promise<Set<string>> {
  const made = await rows(
    db,
    sql<{ part: string }>`
      select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in (${sql.join(tables.map((table) => sql`${table}::regclass`))})`,
  )
  return new Set(made.map(({ part }) => part))
}

/**
 * Reduces a month to the rows of a query, in the caller's transaction: they are copied into a partition that replaces the
 * old one, which is dropped as a whole. When no rows are left the month has no partition. Writers of the month wait for the
 * transaction, readers only for its last moment. Does nothing where the month has no partition.
 * @param left a query for rows of the partition, with its columns in their order
 */
export async function reduceMonthTo(
  db: Database,
  table: keyof typeof boundaryOf,
  month: string,
  left: RawBuilder<unknown>,
): Promise<void> {
  const part = partOf(table, month)
  const [found] = await rows(
    db,
    sql<{ holds: string; bound: string }>`
      select pg_get_partition_constraintdef(c.oid) as holds, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname = ${part}`,
  )
  if (!found) return
  const [whole, old, rest] = [table, part, `${part}_left`].map((name) => sql.table(name))
  await sql`lock table only ${old} in share mode`.execute(db)
  await sql`
    create table ${rest} (like ${whole} including all, constraint in_its_month check (${sql.raw(found.holds)})) ${roomOf(table)}`.execute(
    db,
  )
  await distributeColocated(db, `${part}_left`, table)
  await sql`insert into ${rest} ${left}`.execute(db)
  const [any] = await rows(db, sql`select from ${rest} limit 1`)
  await sql`lock table only ${whole} in access exclusive mode`.execute(db)
  await sql`alter table ${whole} detach partition ${old}`.execute(db)
  await sql`drop table ${old}`.execute(db)
  if (any) {
    await sql`alter table ${rest} rename to ${sql.id(part)}`.execute(db)
    await sql`alter index ${sql.id(`${part}_left_pkey`)} rename to ${sql.id(`${part}_pkey`)}`.execute(db)
    await sql`alter table ${whole} attach partition ${old} ${sql.raw(found.bound)}`.execute(db)
    await sql`alter table ${old} drop constraint in_its_month`.execute(db)
  } else await sql`drop table ${rest}`.execute(db)
}

/** Bytes on disk of the partitions of a table, with indexes and large values, by month. */
export async function bytesOfMonths(
  db: Database,
  table: keyof typeof boundaryOf,
): Promise<ReadonlyMap<string, number>> {
  const months = (await monthsOfTables(db)).get(table) ?? []
  const bytes = await bytesOnDisk(
    db,
    months.map((month) => partOf(table, month)),
  )
  return new Map(months.map((month) => [month, bytes.get(partOf(table, month)) ?? 0]))
}

/** The range of version 7 ids that were created in a month: `from` is inclusive, `before` exclusive. */
export const idsOfMonth = (month: string): { from: string; before: string } => ({
  from: firstIdOf(month),
  before: firstIdOf(monthAfter(month)),
})

/** The month of an instant, in UTC, as its first day. */
export const monthOfInstant = (instant: RawBuilder<unknown>) =>
  sql`date_trunc('month', ${instant} at time zone 'UTC')::date`

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${number === 12 ? year + 1 : year}-${String((number % 12) + 1).padStart(2, '0')}`
}

/** The first id of a month: a UUID of version 7 begins with the milliseconds of its creation. */
function firstIdOf(month: string): string {
  const ms = Date.parse(`${month}-01T00:00:00Z`).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`
}

/** The month in which an id of version 7 was created, `YYYY-MM`. */
export function monthOfId(id: string): string {
  const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  return new Date(ms).toISOString().slice(0, 7)
}

/** The months for which each table that is partitioned by month has partitions, `YYYY-MM`, oldest first. */
export async function monthsOfTables(db: Database): Promise<Map<string, string[]>> {
  const made = await rows(
    db,
    sql<{ table: string; part: string }>`
      select p.relname as table, c.relname as part
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relnamespace = 'public'::regnamespace and p.relname = any(${Object.keys(boundaryOf)})
      order by 1, 2`,
  )
  const months = new Map<string, string[]>()
  for (const { table, part } of made) {
    const [, year, number] = /_(\d{4})_(\d{2})$/.exec(part) ?? []
    if (year && number) months.set(table, [...(months.get(table) ?? []), `${year}-${number}`])
  }
  return months
}

/** Whether a table is partitioned by month. */
export const isPartitionedByMonth = (table: string): table is keyof typeof boundaryOf => table in boundaryOf
