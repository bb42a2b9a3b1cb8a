import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AttemptOutcome } from '../../vocabulary/collecting.ts'
import { countedChange } from '../evidence/changes.ts'

/** Delay before a failed chart is tried again; it doubles with each failure. */
const firstWaitMinutes = 5
const longestWaitMinutes = 360

export async function recordAttempt(
  db: Database,
  { country, kind, categoryId, device }: ChartIdentity,
  attempt: { at: Date; outcome: AttemptOutcome; message: string | null },
): Promise<void> {
  const failed = attempt.outcome === 'failed' || attempt.outcome === 'suspect-empty'
  const change = sql`
    insert into chart_attempts as a (country, kind, category_id, device, last_at, outcome, failures, message)
    values (${country}, ${kind}, ${categoryId}, ${device}, ${attempt.at}, ${attempt.outcome}, ${failed ? 1 : 0},
      ${attempt.message})
    on conflict (country, kind, category_id, device) do update set last_at = excluded.last_at,
      outcome = excluded.outcome, message = excluded.message,
      failures = case when excluded.failures = 0 then 0 else a.failures + 1 end
    returning country`
  await countedChange(change).execute(db)
}

/** A chart with the beginning of the slot it is due in. */
export interface WantedChart extends ChartIdentity {
  slotStart: Date
}

/**
 * The given charts that have no capture in their slot and whose delay after a failure has passed; never tried ones first,
 * then by the oldest attempt.
 */
export function dueCharts(
  db: Database,
  wanted: readonly WantedChart[],
  now: Date,
  limit: number,
): Promise<ChartIdentity[]> {
  return rows(
    db,
    sql<ChartIdentity>`
      select w.country, w.kind, w."categoryId", w.device
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w(
        country text, kind text, "categoryId" integer, device text, "slotStart" timestamptz)
      left join charts c on c.country = w.country and c.kind = w.kind and c.category_id = w."categoryId"
        and c.device = w.device
      left join chart_attempts a on a.country = w.country and a.kind = w.kind and a.category_id = w."categoryId"
        and a.device = w.device
      where (c.newest_captured_at is null or c.newest_captured_at < w."slotStart")
        and (a.last_at is null or case when a.failures = 0 then a.last_at < w."slotStart"
          else a.last_at < ${now}::timestamptz - least(${longestWaitMinutes}::double precision,
            ${firstWaitMinutes} * power(2, least(a.failures, 20) - 1)) * interval '1 minute' end)
      order by a.last_at nulls first, w.country, w.kind, w."categoryId", w.device
      limit ${limit}`,
  )
}

/** Whether any of a storefront's charts of these categories has never been stored and failed at its last attempt. */
export const failsToChart = (country: string, categoryIds: readonly number[]) => sql<boolean>`
  exists (select 1 from chart_attempts a
    where country = ${country} and category_id = any(${[...categoryIds]}::int[]) and failures > 0
      and not exists (select 1 from charts c where c.country = a.country and c.kind = a.kind
        and c.category_id = a.category_id and c.device = a.device))`

export interface FailingChart extends ChartIdentity {
  lastAt: Date
  outcome: AttemptOutcome
  failures: number
  message: string | null
}

/** Charts whose last attempt stored no snapshot, most failures first. */
export function failingCharts(db: Database, limit: number): Promise<FailingChart[]> {
  return rows(
    db,
    sql<FailingChart>`
      select country, kind, category_id as "categoryId", device, last_at as "lastAt", outcome, failures, message
      from chart_attempts where failures > 0
      order by failures desc, country, kind, category_id, device limit ${limit}`,
  )
}
