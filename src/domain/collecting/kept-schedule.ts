import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

/** A schedule that an operator keeps on the pages. */
export interface KeptSchedule {
  /** In the form of the `schedule` section of a configuration file. */
  schedule: unknown
  changedAt: Date
  /** The name of the key; null for people of the provider, and keys that are gone. */
  changedBy: string | null
}

/** Undefined where that of the configuration file holds. */
export const keptSchedule = (db: Database): Promise<KeptSchedule | undefined> =>
  firstRow(
    db,
    sql<KeptSchedule>`
      select schedule, changed_at as "changedAt",
        (select name from api_keys where 'key:' || key_id = changed_by) as "changedBy"
      from kept_schedule`,
  )

/**
 * Keeps a schedule; null lets that of the file hold again.
 * @param before when it was changed last, as the caller knows it; null for never
 * @returns whether it was still so, and the schedule is kept
 */
export async function keepSchedule(
  db: Database,
  schedule: object | null,
  { by, before }: { by: string; before: Date | null },
): Promise<boolean> {
  const json = JSON.stringify(schedule)
  const written =
    schedule === null
      ? sql`delete from kept_schedule where changed_at = ${before}::timestamptz returning true`
      : before === null
        ? sql`
            insert into kept_schedule (schedule, changed_by) values (${json}::jsonb, ${by})
            on conflict do nothing returning true`
        : sql`
            update kept_schedule set schedule = ${json}::jsonb, changed_at = greatest(now(), changed_at + interval '1 millisecond'),
              changed_by = ${by}
            where changed_at = ${before}::timestamptz returning true`
  return (await firstRow(db, written)) !== undefined
}
