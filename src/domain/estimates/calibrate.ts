import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import type { EstimateMetric } from '../../vocabulary/estimates.ts'
import { countChange } from '../evidence/changes.ts'
import {
  type CalibrationFit,
  fitCalibration,
  maxMedianError,
  minCalibrationDays,
  type SalesPoint,
} from './calibration-fit.ts'
import { minChartPlaces } from './estimate-from.ts'
import { estimateEvidence } from './evidence.ts'
import { type OwnApp, ownApps } from './own-sales.ts'
import { medianSlope } from './priors.ts'
import type { ChartDays } from './series.ts'

/** The result of calibrating one chart. */
export interface CalibratedChart {
  chart: ChartIdentity
  metric: EstimateMetric
  /** Of revenue; null for downloads. */
  currency: string | null
  /** Days with an own app in the chart and its own figure. */
  days: number
  /** Undefined when there were too few days. */
  fit: CalibrationFit | undefined
  /** Null when nothing was fitted. */
  calibrationId: number | null
}

export interface CalibrationRun {
  /** Days of own figures that are stored. */
  ownDays: number
  charts: CalibratedChart[]
}

/**
 * Fits a law to every chart with own apps, from own figures and ranks of the same day, and stores it. A fit that is no
 * better than the published numbers on the held-out days, or whose error is too large, is stored as not used: estimates of
 * older calibrations are then neither made nor shown.
 */
export async function calibrateCharts(db: Database, now: Date): Promise<CalibrationRun> {
  const { ownDays, charts } = await ownSalesByChart(db, now)
  const fitted = charts.map(({ points, ...chart }) => ({
    ...chart,
    days: new Set(points.map(({ day }) => day)).size,
    fit: fitCalibration(points, medianSlope(chart.chart.kind), chart.metric === 'downloads'),
  }))
  const made = fitted.flatMap(({ chart, metric, currency, fit }) =>
    fit ? [{ ...chart, metric, currency, ...fit }] : [],
  )
  const ids = await inTransaction(db, (transaction) => storeCalibrations(transaction, made, now))
  return {
    ownDays,
    charts: fitted.map((entry) => ({ ...entry, calibrationId: ids.get(chartName(entry.chart)) ?? null })),
  }
}

/**
 * Takes the lock of calibrations until the transaction ends, which may be idle while it computes.
 * @returns false when another transaction holds it
 */
export async function lockForCalibration(transaction: Database): Promise<boolean> {
  const lock = sql<{ free: boolean; silent: string }>`
    select pg_try_advisory_xact_lock(hashtext('rivalscope calibration')) as free,
      set_config('idle_in_transaction_session_timeout', '60s', true) as silent`
  return (await firstRow(transaction, lock))?.free ?? false
}

/** Days of own figures in one chart, with the app's rank on each. */
export interface SalesInChart {
  chart: ChartIdentity
  metric: EstimateMetric
  /** The currency of revenue on most days; days in another one are left out. Null for downloads. */
  currency: string | null
  points: SalesPoint[]
}

/** Own figures by the charts the app was in on the day, and the number of days with figures. */
export async function ownSalesByChart(
  db: Database,
  now: Date,
): Promise<{ ownDays: number; charts: SalesInChart[] }> {
  const apps = await ownApps(db)
  const gathered = new Map<string, Gathered>()
  for (const app of apps) await gather(db, app, now, gathered)
  const charts = [...gathered.values()].map(({ chart, metric, points }) => {
    const currency = metric === 'revenue' ? mostFrequent(points.map((point) => point.currency)) : null
    return { chart, metric, currency, points: points.filter((point) => point.currency === currency) }
  })
  return { ownDays: apps.reduce((sum, { days }) => sum + days.length, 0), charts }
}

interface Gathered {
  chart: ChartIdentity
  metric: EstimateMetric
  points: (SalesPoint & { currency: string | null })[]
}

/** Adds the days of one own app to the charts it stood in. */
async function gather(db: Database, app: OwnApp, now: Date, into: Map<string, Gathered>): Promise<void> {
  const { charts } = await estimateEvidence(db, app, now, false)
  for (const entry of charts) {
    const { kind, country, categoryId, device } = entry.chart
    const chart = { country, kind, categoryId, device }
    const metric = chartRow(kind).ranksBy
    const points = pointsOf(app, entry, metric)
    if (points.length === 0) continue
    const known = into.get(chartName(chart)) ?? { chart, metric, points: [] }
    known.points.push(...points)
    into.set(chartName(chart), known)
  }
}

/** Days of one app in one chart, including days of 0; with the uncalibrated estimate only where its currency is the same. */
function pointsOf(app: OwnApp, { days, modelsOn }: ChartDays, metric: EstimateMetric): Gathered['points'] {
  return app.days.flatMap(({ day, downloads, revenue, currency: paidIn }) => {
    const place = days.get(day)
    const rank = place && place.depth >= minChartPlaces ? place.rank : null
    const value = metric === 'downloads' ? downloads : revenue
    const currency = metric === 'downloads' ? null : paidIn
    if (!rank || value === null) return []
    const model = modelsOn(day).find(({ ranks }) => rank >= ranks.from && rank <= ranks.to)
    const before = model?.currency === currency ? Math.exp(model.at(rank).mean) : null
    return [{ app: app.storeId, maker: app.developerId, day, rank, value, currency, before }]
  })
}

function mostFrequent<T>(values: readonly T[]): T | null {
  const counted = [...Map.groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    count: all.length,
  }))
  return counted.sort((one, other) => other.count - one.count)[0]?.value ?? null
}

/** Why a chart's calibration is not used, in words; undefined when it is. */
export function whyCalibrationUnused({ days, fit }: CalibratedChart): string | undefined {
  if (!fit) return `${days} ${days === 1 ? 'day' : 'days'}, at least ${minCalibrationDays} are needed`
  if (fit.used) return undefined
  if (fit.errorAfter > maxMedianError)
    return 'half of the days held back are more than a factor of two off: nobody could rely on it'
  return fit.errorAfter < fit.errorConstant
    ? 'no better than what is published on the days held back'
    : 'no better than a constant on the days held back'
}

type NewCalibration = ChartIdentity & CalibrationFit & { metric: EstimateMetric; currency: string | null }

/**
 * Stores calibrations. A calibration equal to the newest of its chart is not stored again, so that calibrating twice does
 * not begin a new series. One that is not used ends the use of earlier ones of its chart. Runs inside the caller's
 * transaction.
 * @returns the id of each by the chart's name
 */
async function storeCalibrations(
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
