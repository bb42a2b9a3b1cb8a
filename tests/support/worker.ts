import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { type Running, start } from './command-line.ts'
import type { Installation } from './installation.ts'

/** As if an hour had passed since workers were last heard of, and since their absence was last looked for. */
export async function anHourLater(db: Database): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour'`.execute(db)
  await sql`
    update pgboss.queue set monitor_on = monitor_on - interval '1 hour',
      monitor_claim_on = monitor_claim_on - interval '1 hour'`.execute(db)
}

/** A process that works on jobs. */
export const startWork = (
  { location }: Installation,
  config: string,
  env: Record<string, string> = {},
): Running => start(['work', ...location, '--config', config, '--log-level', 'warn'], { env })
