import { sql } from 'kysely'
import { type Database, rows } from './database.ts'

/**
 * Rows that this process has written into a store: what rests on a table as a whole is made anew once enough of it is another. What
 * was rolled back stays counted.
 */
class WrittenRows {
  readonly #totals = new Map<string, number>()
  readonly #settled = new Map<string, number>()

  /** Counts rows that a statement wrote. */
  add(table: string, count: number): void {
    this.#totals.set(table, (this.#totals.get(table) ?? 0) + count)
  }

  /** Rows of a table that were written and not settled for a purpose. */
  of(table: string, purpose: string): number {
    return (this.#totals.get(table) ?? 0) - (this.#settled.get(`${purpose} ${table}`) ?? 0)
  }

  /** Settles rows for a purpose: what rests on them was made anew. */
  settle(table: string, purpose: string, count: number): void {
    const name = `${purpose} ${table}`
    this.#settled.set(name, (this.#settled.get(name) ?? 0) + count)
  }
}

const stores = new WeakMap<object, WrittenRows>()

/** The rows written through the pool of a database, in its transactions too. */
export function writtenRows(db: Database): WrittenRows {
  const { adapter } = db.getExecutor()
  const known = stores.get(adapter) ?? new WrittenRows()
  stores.set(adapter, known)
  return known
}

/** The share of a table after which PostgreSQL samples it anew as well, when it gets round to it. */
const sampledShare = 0.1

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
  const written = writtenRows(db)
  const touched = tables
    .map(({ name, columns, countedAs = name }) => {
      const purpose = `sample of ${name}`
      return { name, columns, countedAs, purpose, count: written.of(countedAs, purpose) }
    })
    .filter(({ count }) => count > 0)
  if (touched.length === 0) return
  // A negative count is that of a table that was never sampled.
  const found = await rows(
    db,
    sql<{ name: string; held: number }>`
      select relname as name, reltuples::float8 as held from pg_class
      where relname = any(${touched.map(({ name }) => name)}::text[]) and pg_table_is_visible(oid)`,
  )
  const held = new Map(found.map((row) => [row.name, row.held]))
  for (const { name, columns, countedAs, purpose, count } of touched) {
    if (count < sampledShare * (held.get(name) ?? 0)) continue
    const of = columns ? sql` (${sql.join(columns.map((column) => sql.id(column)))})` : sql``
    await sql`analyze ${sql.table(name)}${of}`.execute(db)
    written.settle(countedAs, purpose, count)
  }
}
