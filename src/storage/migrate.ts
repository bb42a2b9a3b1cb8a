import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { distributeNew } from './cluster.ts'
import type { Database } from './database.ts'
import { installQueue } from './queue.ts'
import type { Store } from './store.ts'

const folder = new URL('migrations/', import.meta.resolve('rivalscope/package.json'))

/** The store has migrations that this version does not know. It is refused unchanged. */
export class StoreRefusedError extends Error {
  /** @param newer whether it has all of this version's as well */
  constructor(unknown: readonly string[], newer: boolean) {
    super(
      newer
        ? `The store was written by a newer version of Rivalscope (it has ${unknown.join(', ')}). Run that version, or restore a backup.`
        : `The store was made by a version from before the first release (it has ${unknown.at(0)} … ${unknown.at(-1)}), and no migration leads from there. Start an empty store, and import into it what that version exports.`,
    )
    this.name = 'StoreRefusedError'
  }
}

/**
 * Brings the schema up to date, forward only. Safe when several processes start at once: they take turns, and the later
 * ones find nothing to do. What is new on a store that is distributed over a cluster is distributed as well. The job queue
 * migrates its own schema.
 * @returns the migrations that were applied, in order
 * @throws StoreRefusedError when the store has migrations this version does not know
 */
export async function migrate(store: Store): Promise<string[]> {
  const { db } = store
  const provider = new SqlFiles()
  const known = await provider.getMigrations()
  const applied = await appliedMigrations(db)
  const unknown = applied.filter((name) => !(name in known))
  if (unknown.length > 0)
    throw new StoreRefusedError(
      unknown,
      Object.keys(known).every((name) => applied.includes(name)),
    )
  const made = Object.keys(known).length > applied.length ? await migrateToLatest(store, provider) : []
  await distributeNew(store)
  await installQueue(store)
  return made
}

/** All migrations in one transaction, which also holds the lock: behind a pooler only a transaction stays on one session. */
function migrateToLatest(store: Store, provider: MigrationProvider): Promise<string[]> {
  return store.alone('migrations', async (transaction) => {
    const { error, results } = await new Migrator({ db: transaction, provider }).migrateToLatest()
    if (error) throw error
    return (results ?? []).map((result) => result.migrationName)
  })
}

/** Whether a store was ever made there. */
export async function hasSchema(db: Database): Promise<boolean> {
  const table = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  return table.rows[0]?.found ?? false
}

async function appliedMigrations(db: Database): Promise<string[]> {
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
      const text = await readFile(new URL(file, folder), 'utf8')
      migrations[file.replace(/\.sql$/, '')] = {
        async up(db) {
          await sql.raw(text).execute(db)
        },
      }
    }
    return migrations
  }
}
