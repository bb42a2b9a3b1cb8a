import { sql } from 'kysely'
import { type Database, rows } from './database.ts'

/** Rows that this process has written, by table. */
const totals = new Map<string, number>()

/** Counts rows that a statement wrote, changed values and not mere repetitions. What is rolled back later stays counted. */
export function countWritten(table: string, count: number): void {
  totals.set(table, writtenRows(table) + count)
}

/** Rows that this process has written into a table since its start, about: no fewer. */
export const writtenRows = (table: string): number => totals.get(table) ?? 0

/** The share of a table after which PostgreSQL samples it anew as well, when it gets round to it. */
const sampledShare = 0.1

/** What had been written when a table was sampled. */
const sampledAt = new Map<string, number>()

/** A table, or a partition of one, with the columns that plans rest on; all of them when left out. */
interface Sampled {
  name: string
  columns?: readonly string[]
  /** The table under whose name rows are counted, where that is another. */
  countedAs?: string
}

/**
 * Samples those tables for the planner of which this process has written more than a tenth since it did so last, or that were never
 * sampled. For others the statistics are as good as new ones.
 */
export async function sampleWritten(db: Database, tables: readonly Sampled[]): Promise<void> {
  const touched = tables.filter(
    ({ name, countedAs = name }) => writtenRows(countedAs) > (sampledAt.get(name) ?? 0),
  )
  if (touched.length === 0) return
  // A negative count is that of a table that was never sampled.
  const found = await rows(
    db,
    sql<{ name: string; held: number }>`
      select relname as name, reltuples::float8 as held from pg_class
      where relname = any(${touched.map(({ name }) => name)}::text[]) and pg_table_is_visible(oid)`,
  )
  const held = new Map(found.map((row) => [row.name, row.held]))
  for (const { name, columns, countedAs = name } of touched) {
    const written = writtenRows(countedAs)
    if (written - (sampledAt.get(name) ?? 0) < sampledShare * (held.get(name) ?? 0)) continue
    const of = columns ? sql` (${sql.join(columns.map((column) => sql.id(column)))})` : sql``
    await sql`analyze ${sql.table(name)}${of}`.execute(db)
    sampledAt.set(name, written)
  }
}
