import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { Metric } from '../../vocabulary/estimates.ts'
import { countChange } from '../evidence/changes.ts'
import type { Fit } from './calibration-fit.ts'

export type NewCalibration = ChartIdentity & Fit & { metric: Metric; currency: string | null }

/**
 * Stores calibrations. A calibration equal to the newest of its chart is not stored again, so that calibrating twice does
 * not begin a new series. One that is not used ends the use of earlier ones of its chart. Runs inside the caller's
 * transaction.
 * @returns the id of each by the chart's name
 */
export async function storeCalibrations(
  db: Database,
  calibrations: readonly NewCalibration[],
  calibratedAt: Date,
): Promise<Map<string, number>> {
  const ids = await insertCalibrations(db, calibrations, calibratedAt)
  const refused = JSON.stringify(calibrations.filter(({ used }) => !used))
  const ended = await rows(
    db,
    sql`
      update calibrations c set used = false
      from json_to_recordset(${refused}::json) as sent(country text, kind text, "categoryId" integer, device text, metric text)
      where c.used and c.country = sent.country and c.kind = sent.kind and c.category_id = sent."categoryId"
        and c.device = sent.device and c.metric = sent.metric
      returning c.calibration_id`,
  )
  if (ended.length > 0) await countChange(db, ['estimates'])
  return ids
}

async function insertCalibrations(
  db: Database,
  calibrations: readonly NewCalibration[],
  calibratedAt: Date,
): Promise<Map<string, number>> {
  const sent = JSON.stringify(
    calibrations.map(({ ranks, ...calibration }) => ({
      ...calibration,
      rankFrom: ranks.from,
      rankTo: ranks.to,
    })),
  )
  const found = await rows(
    db,
    sql<{ name: string; calibrationId: number }>`
      with sent as (
        select * from json_to_recordset(${sent}::json) as sent(country text, kind text, "categoryId" integer,
          device text, metric text, currency text, scale float8, slope float8, "slopeFitted" boolean, centre float8,
          "levelSd" float8, "slopeSd" float8, "appSd" float8, "daySd" float8, "betweenApps" float8, apps integer,
          "rankFrom" integer, "rankTo" integer, points integer, "heldOut" integer, "errorBefore" float8,
          "errorAfter" float8, "errorConstant" float8, covered float8, used boolean)
      ), known as (
        select sent.country, sent.kind, "categoryId", sent.device, newest.calibration_id
        from sent cross join lateral (
          select * from calibrations c
          where c.country = sent.country and c.kind = sent.kind and c.category_id = sent."categoryId"
            and c.device = sent.device and c.metric = sent.metric
          order by c.calibration_id desc limit 1
        ) newest
        where (newest.currency, newest.scale, newest.slope, newest.level_sd, newest.app_sd, newest.day_sd,
            newest.apps, newest.rank_from, newest.rank_to, newest.points, newest.held_out, newest.error_before,
            newest.error_after, newest.error_constant)
          is not distinct from (sent.currency, sent.scale, sent.slope, sent."levelSd", sent."appSd", sent."daySd",
            sent.apps, sent."rankFrom", sent."rankTo", sent.points, sent."heldOut", sent."errorBefore",
            sent."errorAfter", sent."errorConstant")
      ), added as (
        insert into calibrations (country, kind, category_id, device, metric, currency, scale, slope, slope_fitted,
          centre, level_sd, slope_sd, app_sd, day_sd, between_apps, apps, rank_from, rank_to, points, held_out,
          error_before, error_after, error_constant, covered, used, calibrated_at)
        select country, kind, "categoryId", device, metric, currency, scale, slope, "slopeFitted", centre, "levelSd",
          "slopeSd", "appSd", "daySd", "betweenApps", apps, "rankFrom", "rankTo", points, "heldOut", "errorBefore",
          "errorAfter", "errorConstant", covered, used, ${calibratedAt}
        from sent
        where not exists (
          select 1 from known
          where (known.country, known.kind, known."categoryId", known.device) =
            (sent.country, sent.kind, sent."categoryId", sent.device))
        returning country, kind, category_id as "categoryId", device, calibration_id
      )
      select concat_ws(' ', country, kind, "categoryId", device) as name, calibration_id as "calibrationId"
      from (select * from known union all select * from added) stored`,
  )
  return new Map(found.map(({ name, calibrationId }) => [name, calibrationId]))
}
