import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import { distributeNewTables } from './cluster.ts'
import type { Database } from './database.ts'
import type { Store } from './store.ts'

const folder = new URL('migrations/', import.meta.resolve('rivalscope/package.json'))

/** A store that this version cannot use. It is refused unchanged. */
export class StoreRefusedError extends Error {
  override name = 'StoreRefusedError'
}

/** The error for unknown migrations. @param newer whether the store has all migrations of this version as well */
function unknownMigrations(unknown: readonly string[], newer: boolean): StoreRefusedError {
  return new StoreRefusedError(
    newer
      ? `The store was written by a newer version of Rivalscope (it has ${unknown.join(', ')}). Run that version, or restore a backup.`
      : `The store was made by a version from before the first release (it has ${unknown.at(0)} … ${unknown.at(-1)}), and no migration leads from there. Start an empty store, and import into it what that version exports.`,
  )
}

/**
 * Brings the schema up to date, forward only. Safe when several processes start at once: they take turns, and the later ones
 * find nothing to do. On a distributed store, new tables are distributed as well. The job queue migrates its own schema.
 * @returns the migrations that were applied, in order
 * @throws StoreRefusedError when the store has migrations this version does not know, or a move into it has not ended
 */
export async function migrate(store: Store): Promise<string[]> {
  const { db } = store
  const known = await new SqlFiles().getMigrations()
  await refuseUnfinishedMove(db)
  const applied = await appliedMigrations(db)
  const unknown = applied.filter((name) => !(name in known))
  if (unknown.length > 0)
    throw unknownMigrations(
      unknown,
      Object.keys(known).every((name) => applied.includes(name)),
    )
  const made = Object.keys(known).length > applied.length ? await migrateToLatest(store) : []
  await distributeNewTables(store)
  if (!(await hasQueue(db))) await (await import('./queue.ts')).installQueue(store)
  return made
}

/** Migrates in one transaction, which also holds the lock: behind a pooler only a transaction stays on one session. */
function migrateToLatest(store: Store): Promise<string[]> {
  return store.alone('migrations', (transaction) => applyMigrations(transaction))
}

/**
 * Applies the missing migrations, in the caller's transaction, which must hold the lock of migrations.
 * @param last the last one to apply; the newest when left out
 * @returns the applied migrations, in order
 */
export async function applyMigrations(transaction: Database, last?: string): Promise<string[]> {
  const migrator = new Migrator({ db: transaction, provider: new SqlFiles() })
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** All migrations of this version, in order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await new SqlFiles().getMigrations())
}

/** The schema in which a move records its progress. It exists until the move has ended. */
export const moveSchema = 'rivalscope_move'

/** Refuses a store into which a move has begun and not ended: it is incomplete. @throws StoreRefusedError */
async function refuseUnfinishedMove(db: Database): Promise<void> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regnamespace(${moveSchema}) is not null as "isThere"`.execute(db)
  if (rows[0]?.isThere)
    throw new StoreRefusedError(
      'A move into this store has not ended. Run rivalscope move again, from the store it was begun from, and it goes on.',
    )
}

/** Whether a database has the schema of a store. */
export async function hasSchema(db: Database): Promise<boolean> {
  const table = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  return table.rows[0]?.found ?? false
}

/** The migrations of a store, in order; none where there is no store. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await hasSchema(db))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** Each file of the migrations folder is one migration. */
class SqlFiles implements MigrationProvider {
  async getMigrations(): Promise<Record<string, Migration>> {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    const migrations: Record<string, Migration> = {}
    for (const file of files) {
      migrations[file.replace(/\.sql$/, '')] = {
        async up(db) {
          const text = await readFile(new URL(file, folder), 'utf8')
          await sql.raw(text).execute(db)
        },
      }
    }
    return migrations
  }
}

/** The tables that migrations create, including those that later ones drop. */
export async function tablesOfMigrations(): Promise<Set<string>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name),
    ),
  )
}

/**
 * Whether the schema of the job queue is at least the one this version needs. It nearly always is, and then a command need
 * not load the queue.
 */
async function hasQueue(db: Database): Promise<boolean> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('pgboss.version') is not null as "isThere"`.execute(db)
  if (!tables[0]?.isThere) return false
  const { rows } = await sql<{ version: number }>`select version from pgboss.version`.execute(db)
  return (rows[0]?.version ?? 0) >= manifest.pgboss.schema
}
