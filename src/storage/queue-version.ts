import { sql } from 'kysely'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import type { Database } from './database.ts'

/**
 * Whether the schema of the job queue is at least the one this version needs. It nearly always is, and then a command need
 * not load the queue.
 */
export async function hasQueue(db: Database): Promise<boolean> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('pgboss.version') is not null as "isThere"`.execute(db)
  if (!tables[0]?.isThere) return false
  const { rows } = await sql<{ version: number }>`select version from pgboss.version`.execute(db)
  return (rows[0]?.version ?? 0) >= manifest.pgboss.schema
}
