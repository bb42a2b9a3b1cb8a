import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { workById } from '../work/queries.ts'
import type { Work } from '../work/work.ts'
import type { Scope } from './candidate-queries.ts'
import { discovery } from './discovery.ts'

/** The newest run of a scope, under way or ended; restricted to the window or the id, where given. */
export async function newestRun(
  db: Database,
  { country, categoryId }: Scope,
  { windowDays, runId }: { windowDays?: number | undefined; runId?: string | undefined },
): Promise<Work | undefined> {
  const found = await firstRow(
    db,
    sql<{ workId: string }>`
      select work_id as "workId" from work
      where kind = ${sql.lit(discovery.name)} and input ->> 'country' = ${country}
        and coalesce(input ->> 'categoryId', '0') = ${String(categoryId ?? 0)}
        and (${windowDays ?? null}::int is null or input ->> 'windowDays' = ${windowDays ?? null}::int::text)
        and (${runId ?? null}::uuid is null or work_id = ${runId ?? null})
      order by work_id desc limit 1`,
  )
  return found && workById(db, found.workId)
}
