import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { ensureMonths } from '../../storage/months.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { EstimateMethod, EstimateMetric, NoEstimate } from '../../vocabulary/estimates.ts'
import type { Origin } from '../../vocabulary/provenance.ts'
import type { EstimatedDay } from './series.ts'

/**
 * Writes the estimates of one app beside those of other versions, in one statement. Where a day can no longer be estimated,
 * the estimates of versions in force are withdrawn; those of superseded versions stay.
 * @returns whether they differ from the stored ones, apart from the time of computation
 */
export async function writeEstimates(
  db: Database,
  app: { storeId: string; country: string },
  days: readonly EstimatedDay[],
  inForce: readonly string[],
  computedAt: Date,
): Promise<boolean> {
  await ensureMonths(
    db,
    ['estimates'],
    days.map(({ day }) => day.slice(0, 7)),
  )
  const sent = JSON.stringify(
    days.map(({ range, ranks, ...day }) => ({ ...day, ...range, validFrom: ranks?.from, validTo: ranks?.to })),
  )
  const rowsSent = sql`
    sent as (
      select * from json_to_recordset(${sent}::json) as sent(metric text, day date, version text, method text,
        low numeric, mid numeric, high numeric, currency text, "validFrom" integer, "validTo" integer,
        "calibrationId" integer, inputs jsonb, reason text)
    )`
  const ofApp = sql`e.store_id = ${bigintId(app.storeId)} and e.country = ${app.country}`
  const replaced = sql`
    e.metric = sent.metric and e.day = sent.day and e.version <> sent.version and sent.reason is not null
      and e.version = any(${[...inForce]}::text[])`
  const compared = await firstRow(
    db,
    sql<{ isNew: boolean }>`
      with ${rowsSent}
      select exists (
        select from sent left join estimates e
          on ${ofApp} and e.metric = sent.metric and e.day = sent.day and e.version = sent.version
        where e.day is null or (e.method, e.low, e.mid, e.high, e.currency, e.valid_from, e.valid_to, e.calibration_id, e.inputs, e.reason)
          is distinct from (sent.method, sent.low, sent.mid, sent.high, sent.currency, sent."validFrom", sent."validTo",
            sent."calibrationId", sent.inputs, sent.reason)
      ) or exists (select from sent join estimates e on ${ofApp} and ${replaced}) as "isNew"`,
  )
  await sql`
    with ${rowsSent}, withdrawn as (
      delete from estimates e using sent where ${ofApp} and ${replaced}
    )
    insert into estimates (store_id, country, metric, day, version, method, low, mid, high, currency, valid_from,
      valid_to, calibration_id, inputs, reason, computed_at)
    select ${bigintId(app.storeId)}, ${app.country}, metric, day, version, method, low, mid, high, currency,
      "validFrom", "validTo", "calibrationId", inputs, reason, ${computedAt}
    from sent
    on conflict (store_id, country, metric, day, version) do update
      set method = excluded.method, low = excluded.low, mid = excluded.mid, high = excluded.high,
        currency = excluded.currency, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
        calibration_id = excluded.calibration_id, inputs = excluded.inputs, reason = excluded.reason,
        computed_at = excluded.computed_at`.execute(db)
  return compared?.isNew ?? false
}

/** A stored estimate; numbers and method are null when there is a reason. */
export interface EstimateRow {
  metric: EstimateMetric
  day: string
  version: string
  method: EstimateMethod | null
  low: number | null
  mid: number | null
  high: number | null
  currency: string | null
  validFrom: number | null
  validTo: number | null
  inputs: { name: string; value: number | string }[]
  reason: NoEstimate | null
  computedAt: Date
}

const estimateColumns = sql`
  metric, day::text as day, version, method, low::double precision as low, mid::double precision as mid,
  high::double precision as high, currency, valid_from as "validFrom", valid_to as "validTo",
  inputs, reason, computed_at as "computedAt"`

/** Estimates with the calibration they were made from: those of calibrations out of use are not shown. */
const shown = sql`estimates e left join calibrations c using (calibration_id)`
const isShown = sql`c.used is not false`

/** For each day and metric the newest value, or where there is none the newest reason. Oldest day first. */
export function shownEstimates(
  db: Database,
  app: { storeId: string; country: string },
  from: string,
  to: string,
): Promise<EstimateRow[]> {
  return rows(
    db,
    sql<EstimateRow>`
      select ${estimateColumns}
      from (
        select distinct on (day, e.metric) e.*
        from ${shown}
        where store_id = ${bigintId(app.storeId)} and e.country = ${app.country} and ${isShown}
          and day between ${from}::date and ${to}::date
        order by day, e.metric, (reason is not null), computed_at desc, calibration_id desc nulls last, version
      ) shown
      order by shown.day, metric`,
  )
}

/** The newest estimate with the reading it is based on; null when that reading was replaced. */
export type NewestEstimate = EstimateRow & {
  reading: { readingId: string; origin: Origin } | null
}

/** The newest day of an app with a value, of both metrics; those with a value first. */
export function newestEstimates(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
): Promise<NewestEstimate[]> {
  const ofApp = sql`store_id = ${bigintId(storeId)} and e.country = ${country}`
  return rows(
    db,
    sql<NewestEstimate>`
      with newest as materialized (
        select distinct on (e.metric) e.*
        from ${shown}
        where ${ofApp} and ${isShown} and day = (select max(day) from ${shown} where ${ofApp} and ${isShown} and reason is null)
        order by e.metric, (reason is not null), computed_at desc, calibration_id desc nulls last, version
      ), given as materialized (
        select n.metric, n.day, c.chart_id
        from newest n cross join jsonb_array_elements(n.inputs) input
        join charts c on concat_ws(' ', c.country, c.kind, c.category_id, c.device) = input ->> 'value'
        where input ->> 'name' = 'chart' and c.country = ${country}
      ), charted as materialized (
        select distinct on (g.metric) g.metric, s.reading_id
        from given g join chart_snapshots s on s.chart_id = g.chart_id and s.day = g.day
          and s.captured_at between g.day - interval '2 days' and g.day + interval '3 days'
        order by g.metric, s.captured_at desc
      ), rated as materialized (
        select reading_id from rating_observations e
        where ${ofApp} and day >= (select max(day) from newest) order by day limit 1
      ), based as materialized (
        select n.metric, coalesce(c.reading_id, (select reading_id from rated)) as reading_id
        from newest n left join charted c using (metric)
      ), told as materialized (
        select b.metric, json_build_object('readingId', r.reading_id, 'origin', r.origin) as reading
        from based b join readings r using (reading_id)
      )
      select ${estimateColumns}, reading
      from newest left join told using (metric)
      order by (reason is not null), metric`,
  )
}

/** The newest day with a value of each metric, in the whole series of an app. */
export function latestEstimates(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
): Promise<EstimateRow[]> {
  const ofApp = sql`store_id = ${bigintId(storeId)} and e.country = ${country} and ${isShown} and reason is null`
  return rows(
    db,
    sql<EstimateRow>`
      select ${estimateColumns}
      from (
        select distinct on (e.metric) e.*
        from ${shown}
        where ${ofApp} and (e.metric, day) in (select e.metric, max(day) from ${shown} where ${ofApp} group by e.metric)
        order by e.metric, computed_at desc, calibration_id desc nulls last, version
      ) latest
      order by metric`,
  )
}

/** The newest day with estimates of an app, measured or not; null when it was never estimated. */
export async function newestEstimatedDay(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
): Promise<string | null> {
  const [found] = await rows(
    db,
    sql<{ day: string | null }>`
      select max(day)::text as day from estimates where store_id = ${bigintId(storeId)} and country = ${country}`,
  )
  return found?.day ?? null
}

/** A version of the model that estimated days of a window, with the calibration it used. */
export interface ModelRow {
  metric: EstimateMetric
  method: EstimateMethod
  version: string
  from: string
  to: string
  validFrom: number | null
  validTo: number | null
  calibration:
    | (ChartIdentity & {
        calibratedAt: string
        apps: number
        points: number
        heldOut: number
        errorBefore: number | null
        errorAfter: number
        errorConstant: number
        covered: number
        daySd: number
        betweenApps: number
        used: boolean
      })
    | null
}

/** Every version with a value in a window, the last computed first. */
export function modelsUsed(
  db: Database,
  app: { storeId: string; country: string },
  from: string,
  to: string,
): Promise<ModelRow[]> {
  return rows(
    db,
    sql<ModelRow>`
      select e.metric, e.method, e.version, min(e.day)::text as "from", max(e.day)::text as "to",
        min(e.valid_from) as "validFrom", max(e.valid_to) as "validTo", (
          select json_build_object('calibratedAt', c.calibrated_at, 'country', c.country, 'kind', c.kind,
            'categoryId', c.category_id, 'device', c.device, 'points', c.points, 'heldOut', c.held_out,
            'errorBefore', c.error_before, 'errorAfter', c.error_after, 'errorConstant', c.error_constant,
            'covered', c.covered, 'apps', c.apps, 'daySd', c.day_sd, 'betweenApps', c.between_apps, 'used', c.used)
          from calibrations c where c.calibration_id = e.calibration_id) as calibration
      from estimates e
      where e.store_id = ${bigintId(app.storeId)} and e.country = ${app.country}
        and e.day between ${from}::date and ${to}::date and e.reason is null
      group by e.metric, e.method, e.version, e.calibration_id
      order by max(e.computed_at) desc, e.metric, e.calibration_id desc nulls last, e.version`,
  )
}
