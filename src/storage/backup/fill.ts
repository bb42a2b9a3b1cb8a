import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { appliedMigrations, applyMigrations, hasSchema } from '../migrate.ts'
import { ensureMonths, isPartitionedByMonth } from '../months.ts'
import { copyIntoTable, isSameContent, type TableContent, tableContentOf } from './copy.ts'
import { BackupError } from './error.ts'
import type { BackupSession } from './session.ts'
import { nonEmptyTables, type StoredTable, setSequence, storedTables } from './tables.ts'

/**
 * Refuses a store that holds data, or whose schema is not the expected one. A database without a schema counts as empty.
 * @param doing such as `restore`, for messages
 * @throws BackupError
 */
export async function expectEmpty(db: Database, migrations: readonly string[], doing: string): Promise<void> {
  if (!(await hasSchema(db))) return
  const filled = await nonEmptyTables(db)
  if (filled.length > 0)
    throw new BackupError(
      `The store is not empty: there is something in ${few(filled)}. A ${doing} needs an empty one: another --data-dir, or a new database. Nothing was changed.`,
    )
  const applied = await appliedMigrations(db)
  if (applied.join() !== migrations.join())
    throw new BackupError(
      `The store is empty, but its schema is of another version (its last migration is ${applied.at(-1)}, and ${migrations.at(-1)} is needed). Name a --data-dir that does not exist yet, or a new database. Nothing was changed.`,
    )
}

const few = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more tables` : names.join(', ')

/**
 * Creates the schema where there is none, in the session's transaction.
 * @throws BackupError when the schema lacks a table or a column that is to be filled
 */
export async function makeSchema(
  { db }: BackupSession,
  migrations: readonly string[],
  wanted: readonly StoredTable[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope migrations'))`.execute(db)
  if (!(await hasSchema(db))) await applyMigrations(db, migrations.at(-1))
  const made = new Map((await storedTables(db)).map((table) => [table.name, table]))
  const unknown = wanted.filter(({ name, columns }) => made.get(name)?.columns.join() !== columns.join())
  const missing = [...made.keys()].filter((name) => !wanted.some((table) => table.name === name))
  const wrong = [...unknown.map(({ name }) => name), ...missing]
  if (wrong.length > 0)
    throw new BackupError(`Its tables are not those of its migrations: ${few(wrong)}. Nothing was changed.`)
}

/** Deletes the rows that migrations put into tables. */
export async function emptyTables({ db }: BackupSession, tables: readonly StoredTable[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db)
}

/**
 * Fills an empty table, and compares its content with the expected one.
 * @param expected called once all rows were written
 * @throws BackupError when the content differs
 */
export async function fillTable(
  { db, client }: BackupSession,
  table: StoredTable,
  chunks: AsyncIterable<Buffer>,
  expected: () => TableContent,
  signal: AbortSignal,
): Promise<void> {
  if (isPartitionedByMonth(table.name)) await ensureMonths(db, [table.name], table.months)
  await copyIntoTable(client, table, chunks, signal)
  const found = await tableContentOf(client, table, signal)
  const wanted = expected()
  if (!isSameContent(found, wanted))
    throw new BackupError(
      `The table ${table.name} does not hold what was read: ${found.rows} rows of ${wanted.rows}, or some with other values. Nothing was changed.`,
    )
  if (table.numbered) await setSequence(db, table.name, table.numbered)
}

/** Updates PostgreSQL's statistics of the filled tables, which its query plans rest on. */
export async function analyze(db: Database, tables: readonly StoredTable[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db)
}

/** Refuses a store that other commands have open. @throws BackupError that names them */
export function refuseStoreInUse(others: readonly string[], what: string): void {
  if (others.length > 0)
    throw new BackupError(
      `${what} is in use by ${others.join(', ')}. End ${others.length === 1 ? 'it' : 'them'}, and try again.`,
    )
}
