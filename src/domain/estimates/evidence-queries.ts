import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { type Bridge, type Calibration, minSharedApps } from './rank-models.ts'
import type { RatingCount } from './rating-growth.ts'

/** The number of ratings of an app in a storefront, by UTC day from a day on, oldest first. */
export function ratingCounts(
  db: Database,
  storeId: string,
  country: string,
  from: string,
): Promise<RatingCount[]> {
  return rows(
    db,
    sql<RatingCount>`
      select day::text as day, rating_count::float8 as count
      from rating_observations
      where store_id = ${bigintId(storeId)} and country = ${country} and day >= ${from}::date
      order by rating_observations.day`,
  )
}

/**
 * The calibrations of a country that count: the newest of each chart and metric, including those no better than published.
 */
export function newestCalibrations(db: Database, country: string): Promise<Calibration[]> {
  return rows(
    db,
    sql<Calibration>`
      select calibration_id as "calibrationId", country, kind, category_id as "categoryId", device, currency, scale,
        slope, centre, level_sd as "levelSd", slope_sd as "slopeSd", app_sd as "appSd", day_sd as "daySd", apps,
        rank_from as "rankFrom", rank_to as "rankTo", points, held_out as "heldOut",
        error_before as "errorBefore", error_after as "errorAfter", covered, used
      from (
        select distinct on (kind, category_id, device, metric) *
        from calibrations where country = ${country}
        order by kind, category_id, device, metric, calibration_id desc
      ) newest`,
  )
}

/** The app's stored data that decide which charts it could be in; null where unknown. */
export interface ChartEligibility {
  price: number | null
  /** UTC date of the observation of the price, `YYYY-MM-DD`. */
  pricedOn: string | null
  categoryIds: number[] | null
}

export async function chartEligibility(
  db: Database,
  storeId: string,
  country: string,
): Promise<ChartEligibility> {
  const found = await firstRow(
    db,
    sql<ChartEligibility>`
      select price::float8 as price, to_json(category_ids) as "categoryIds",
        jsonb_path_query_first(evidence, '$[*] ? (@.fields[*] == "price").observedAt') #>> '{}' as "pricedOn"
      from app_records where store_id = ${bigintId(storeId)} and country = ${country}`,
  )
  return found ?? { price: null, pricedOn: null, categoryIds: null }
}

/**
 * The captures among these that have unreadable places, as \`chart time\`. Reads the wide rows, so the caller passes only
 * captures that do not show an app that could be in them.
 */
export async function capturesWithGaps(
  db: Database,
  captures: readonly { chartId: number; at: number }[],
): Promise<Set<string>> {
  if (captures.length === 0) return new Set()
  const found = await rows(
    db,
    sql<{ name: string }>`
      select concat_ws(' ', s.chart_id, at) as name
      from json_to_recordset(${JSON.stringify(captures)}::json) as sent("chartId" integer, at bigint)
      join chart_snapshots s on s.chart_id = sent."chartId" and s.captured_at = to_timestamp(at / 1000.0)::timestamptz(3)
      where cardinality(s.store_ids) > s.returned`,
  )
  return new Set(found.map(({ name }) => name))
}

/** The ratio of a chart to the overall chart, from the last day of a month that captured both. */
export interface MonthlyBridge extends Bridge {
  chartId: number
  /** `YYYY-MM` */
  month: string
}

/**
 * Bridges by month between two days, where at least five apps were in both charts. `low` and `high` leave out a tenth of the
 * apps at either end. One day a month is read, because each costs two whole snapshots.
 */
export function monthlyBridges(
  db: Database,
  pairs: readonly { chartId: number; overallId: number }[],
  from: string,
  to: string,
): Promise<MonthlyBridge[]> {
  return rows(
    db,
    sql<MonthlyBridge>`
      with captured as materialized (
        select chart_id, day, max(captured_at) as captured_at
        from chart_snapshots
        where chart_id in (
            select unnest(array["chartId", "overallId"])
            from json_to_recordset(${JSON.stringify(pairs)}::json) as sent("chartId" integer, "overallId" integer))
          and day between ${from}::date and ${to}::date
          and captured_at >= ${from}::date - interval '2 days' and captured_at < ${to}::date + interval '3 days'
        group by chart_id, day
      ), chosen as materialized (
        select distinct on ("chartId", date_trunc('month', here.day)) "chartId", "overallId", here.day,
          here.captured_at as here_at, overall.captured_at as overall_at
        from json_to_recordset(${JSON.stringify(pairs)}::json) as sent("chartId" integer, "overallId" integer)
        join captured here on here.chart_id = "chartId"
        join captured overall on overall.chart_id = "overallId" and overall.day = here.day
        order by "chartId", date_trunc('month', here.day), here.day desc
      ), here as materialized (
        select "chartId", "overallId", c.day, app.store_id, app.place
        from chosen c
        join chart_snapshots s on s.chart_id = c."chartId" and s.captured_at = c.here_at
        cross join lateral unnest(s.store_ids) with ordinality app(store_id, place)
      ), overall as materialized (
        select c."overallId", c.day, app.store_id, app.place
        from (select distinct "overallId", day, overall_at from chosen) c
        join chart_snapshots s on s.chart_id = c."overallId" and s.captured_at = c.overall_at
        cross join lateral unnest(s.store_ids) with ordinality app(store_id, place)
      )
      select "chartId", to_char(day, 'YYYY-MM') as month, count(*)::int as "sharedApps",
        exp(percentile_cont(0.1) within group (order by ln(overall.place::float8 / here.place))) as low,
        exp(percentile_cont(0.5) within group (order by ln(overall.place::float8 / here.place))) as mid,
        exp(percentile_cont(0.9) within group (order by ln(overall.place::float8 / here.place))) as high
      from here join overall using ("overallId", day, store_id)
      group by "chartId", day
      having count(*) >= ${minSharedApps}`,
  )
}
