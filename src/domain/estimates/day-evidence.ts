import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { NamedReading } from '../evidence/reading.ts'
import type { EstimateRow } from './queries.ts'

/** The observation an estimate starts from: the last capture of its chart that day, or the next count of ratings. */
export interface DayEvidence extends Omit<NamedReading, 'readingId'> {
  observedAt: Date
}

/** What stored estimates start from, by day and chart; those without a rank or a growth of ratings start from nothing. */
export async function evidenceOfDays(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  estimates: readonly EstimateRow[],
): Promise<(estimate: EstimateRow) => DayEvidence | undefined> {
  const asked = estimates.flatMap((estimate) => {
    const start = startOf(estimate)
    return start === undefined ? [] : [{ day: estimate.day, chart: start }]
  })
  const found = await rows(
    db,
    sql<DayEvidence & { day: string; chart: string }>`
      with asked as (
        select distinct * from json_to_recordset(${JSON.stringify(asked)}::json) as sent(day date, chart text)
      )
      select asked.day::text as day, chart, s.captured_at as "observedAt", split_part(s.read_as, ' ', 1) as source,
        split_part(s.read_as, ' ', 2) as origin, split_part(s.read_as, ' ', 3) as "timeBasis"
      from asked
      join charts c on c.country = ${country} and concat_ws(' ', c.country, c.kind, c.category_id, c.device) = chart
      cross join lateral (
        select captured_at, read_as from chart_snapshots
        where chart_id = c.chart_id and day = asked.day
          and captured_at between asked.day - interval '2 days' and asked.day + interval '3 days'
        order by captured_at desc limit 1
      ) s
      union all
      select asked.day::text, chart, o.observed_at, r.source, r.origin, r.time_basis
      from asked
      cross join lateral (
        select observed_at, reading_id from rating_observations
        where store_id = ${bigintId(storeId)} and country = ${country} and day >= asked.day
        order by day limit 1
      ) o
      join readings r using (reading_id)
      where chart = ${ratings}`,
  )
  const evidence = new Map(found.map((one) => [`${one.day} ${one.chart}`, one]))
  return (estimate) => evidence.get(`${estimate.day} ${startOf(estimate)}`)
}

/** Stands where others have the name of a chart, which has four words. */
const ratings = 'ratings'

function startOf({ method, inputs }: EstimateRow): string | undefined {
  if (method === 'rating-growth') return ratings
  const chart = inputs.find(({ name }) => name === 'chart')
  return chart && String(chart.value)
}
