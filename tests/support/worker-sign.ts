import { sql } from 'kysely'
import { firstRow } from '../../src/storage/database.ts'
import { until } from './until.ts'
import type { World } from './world.ts'

/** Waits for a worker's heartbeat. */
export async function signOf({ store }: World): Promise<void> {
  const look = () => firstRow<{ at: Date | null }>(store.db, sql`select cron_on as at from pgboss.version`)
  await until(look, (found) => found?.at !== null)
}
