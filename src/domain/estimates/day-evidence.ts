import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { NamedReading } from '../evidence/reading.ts'
import { chartDay } from './estimate-inputs.ts'
import type { EstimateRow } from './queries.ts'

/** The observation an estimate starts from: the last capture of its chart that day, or the next count of ratings. */
export interface DayEvidence extends Omit<NamedReading, 'readingId'> {
  observedAt: Date
}

/** The starting evidence of stored estimates, by day and chart; none for those without a rank or gained ratings. */
export async function evidenceOfDays(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  estimates: readonly EstimateRow[],
): Promise<(estimate: EstimateRow) => DayEvidence | undefined> {
  const asked = estimates.flatMap((estimate) => {
    const start = startOf(estimate)
    return start === undefined ? [] : [start]
  })
  const found = await rows(
    db,
    sql<DayEvidence & { day: string; chart: string }>`
      with asked as materialized (
        select distinct * from json_to_recordset(${JSON.stringify(asked)}::json) as sent(day date, chart text)
      ), charted as materialized (
        select asked.day, chart, c.chart_id
        from asked
        join charts c on c.country = ${country} and concat_ws(' ', c.country, c.kind, c.category_id, c.device) = chart
      ), captured as materialized (
        select distinct on (c.day, c.chart) c.day, c.chart, s.captured_at, s.read_as
        from charted c join chart_snapshots s on s.chart_id = c.chart_id and s.day = c.day
          and s.captured_at between c.day - interval '2 days' and c.day + interval '3 days'
        order by c.day, c.chart, s.captured_at desc
      ), counted as materialized (
        select day, observed_at, reading_id from rating_observations
        where store_id = ${bigintId(storeId)} and country = ${country}
          and day >= (select min(day) from asked where chart = ${ratings})
      ), rated as materialized (
        select distinct on (asked.day) asked.day, chart, o.observed_at, o.reading_id
        from asked join counted o on o.day >= asked.day where chart = ${ratings}
        order by asked.day, o.day
      )
      select day::text as day, chart, captured_at as "observedAt", split_part(read_as, ' ', 1) as source,
        split_part(read_as, ' ', 2) as origin, split_part(read_as, ' ', 3) as "timeBasis"
      from captured
      union all
      select o.day::text, chart, o.observed_at, r.source, r.origin, r.time_basis
      from rated o join readings r using (reading_id)`,
  )
  const evidence = new Map(found.map((one) => [`${one.day} ${one.chart}`, one]))
  return (estimate) => {
    const start = startOf(estimate)
    return start && evidence.get(`${start.day} ${start.chart}`)
  }
}

/** In the place of a chart name, which has four words. */
const ratings = 'ratings'

function startOf({ day, method, inputs }: EstimateRow): { day: string; chart: string } | undefined {
  if (method === 'rating-growth') return { day, chart: ratings }
  const named = (name: string) => inputs.find((input) => input.name === name)?.value
  const chart = named('chart')
  return chart === undefined ? undefined : { day: String(named(chartDay) ?? day), chart: String(chart) }
}
