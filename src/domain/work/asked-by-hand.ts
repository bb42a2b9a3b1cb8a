import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'

/** A request to an upstream that somebody asked for by hand. */
export interface AskedByHand {
  /** What is asked for, as its job has it. */
  asked: unknown
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** How it ended, in the words of `collect`: stored, empty, suspect or failed; null before. */
  outcome: string | null
  reason: string | null
  askedAt: Date
  endedAt: Date | null
}

/** Jobs of a kind of the last day, newest first. */
export const askedByHand = (db: Database, kind: string, limit: number): Promise<AskedByHand[]> =>
  rows(
    db,
    sql<AskedByHand>`
      select data as asked, created_on as "askedAt", completed_on as "endedAt", output ->> 'outcome' as outcome,
        coalesce(output ->> 'reason', output ->> 'message') as reason,
        case when state in ('created', 'retry') then 'waiting' when state = 'active' then 'running'
          when state = 'completed' then 'done' else 'failed' end as state
      from pgboss.job where name = ${kind}
      order by created_on desc, id desc limit ${limit}`,
  )

/** How many jobs of a kind wait or run. */
export async function unfinishedByHand(db: Database, kind: string): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ waiting: number }>`
      select count(*)::int as waiting from pgboss.job
      where name = ${kind} and state in ('created', 'retry', 'active')`,
  )
  return found?.waiting ?? 0
}
