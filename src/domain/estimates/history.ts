import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { type EstimateMetric, estimateMetrics, type NoEstimate } from '../../vocabulary/estimates.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { storedChartsOf } from '../charts/queries.ts'
import type { NamedReading } from '../evidence/reading.ts'
import { newestWorkFor } from '../work/ask-for-work.ts'
import { lastSuccessAt } from '../work/queries.ts'
import { isUnderWay, type Work } from '../work/work.ts'
import { chartDayInput } from './estimate-inputs.ts'
import { dayBefore, maxEvidenceDays } from './evidence.ts'
import { type ChartedApp, type LatestEstimate, latestEstimate } from './latest.ts'
import {
  type EstimateRow,
  latestEstimates,
  type ModelRow,
  modelsUsed,
  newestEstimatedDay,
  shownEstimates,
} from './queries.ts'
import { errorBetweenDays } from './rank-models.ts'
import { estimateRefresh, refreshSubject } from './refresh.ts'
import { type EstimatedDayOfTotal, type EstimateTotal, estimateTotalsOf } from './totals.ts'

/** Days of a window whose start is not given. */
const defaultDays = 90
/** The earliest day of any window. */
const firstDay = '1900-01-01'

type Missing = 'never-collected' | 'source-failed' | 'pending' | 'no-snapshot'

export interface HistoryDay {
  day: string
  metric: EstimateMetric
  estimate: EstimateRow | { reason: NoEstimate | Missing }
  /** The evidence the estimate starts from; undefined when there is none. */
  evidence: DayEvidence | undefined
}

interface EstimateHistory {
  /** Downloads before revenue, of the whole series, whatever the window. */
  latest: (LatestEstimate & { evidence: DayEvidence | undefined })[]
  from: string
  to: string
  /** Every day of the window, oldest first, downloads before revenue. */
  days: HistoryDay[]
  totals: EstimateTotal[]
  /** Newest first, with the number of days of the window that show each. */
  models: (ModelRow & { shownDays: number })[]
  /** The newest refresh that the account requested. */
  refresh: Work | undefined
}

/** The stored estimates of an app in a window. By default it ends with the newest estimate and spans 90 days. */
export async function estimateHistory(
  db: Database,
  accountId: string,
  app: { storeId: string } & ChartedApp,
  asked: { from?: string; to?: string; metric?: EstimateMetric },
  now: Date,
): Promise<EstimateHistory> {
  // Read in sequence and before the estimates, so that a reply with a finished refresh also has the estimates it stored.
  const refresh = await newestWorkFor(db, accountId, estimateRefresh.name, refreshSubject(app))
  const lookedAt = await lastSuccessAt(db, estimateRefresh.name, refreshSubject(app))
  const today = storefrontDay(app.country, now)
  const readUntil = await newestEstimatedDay(db, app)
  const to = asked.to ?? readUntil ?? today
  const from = asked.from ?? later(dayBefore(to, defaultDays - 1), firstDay)
  const window = { from, to: from > to ? from : to }
  const [estimates, models, newest, charts] = await Promise.all([
    shownEstimates(db, app, window.from, window.to),
    modelsUsed(db, app, window.from, window.to),
    latestEstimates(db, app),
    storedChartsOf(db, app.country),
  ])
  const metrics = estimateMetrics.filter((metric) => metric === (asked.metric ?? metric))
  const evidenceOf = await evidenceOfDays(db, app, [...estimates, ...newest])
  const stored = new Map(estimates.map((row) => [`${row.day} ${row.metric}`, row]))
  const days: HistoryDay[] = []
  for (let day = window.from; day <= window.to; day = dayBefore(day, -1)) {
    const missing = { reason: whyMissing(day, refresh, lookedAt, app.country) }
    for (const metric of metrics) {
      const estimate = stored.get(`${day} ${metric}`)
      days.push({ day, metric, estimate: estimate ?? missing, evidence: estimate && evidenceOf(estimate) })
    }
  }
  return {
    ...window,
    latest: metrics.map((metric) => {
      const estimate = newest.find((row) => row.metric === metric)
      return {
        ...latestEstimate(metric, estimate, app, charts, readUntil),
        evidence: estimate && evidenceOf(estimate),
      }
    }),
    days,
    totals: estimateTotalsOf(days.flatMap(totalledDay), window.from, window.to),
    models: models
      .filter((model) => metrics.includes(model.metric))
      .map((model) => ({
        ...model,
        shownDays: days.filter(
          ({ metric, estimate }) =>
            metric === model.metric && estimate.reason === null && estimate.version === model.version,
        ).length,
      })),
    refresh,
  }
}

function totalledDay({ day, metric, estimate }: HistoryDay): EstimatedDayOfTotal[] {
  if (estimate.reason !== null) return []
  const { low, mid, high, currency, inputs } = estimate
  if (low === null || mid === null || high === null) return []
  const ofDays = inputs.find(({ name }) => name === errorBetweenDays)?.value
  return [{ day, metric, currency, low, mid, high, ...(typeof ofDays === 'number' ? { daySd: ofDays } : {}) }]
}

const later = (one: string, other: string) => (one > other ? one : other)

/**
 * The reason for a day without an estimate: the account's refresh is under way, or a refresh found nothing for it, or the
 * account's refresh failed, or nobody requested one.
 */
function whyMissing(
  day: string,
  refresh: Work | undefined,
  lookedAt: Date | undefined,
  country: string,
): Missing {
  if (isUnderWay(refresh?.status)) return 'pending'
  const within = (at: Date | null | undefined) => {
    if (!at) return false
    const last = storefrontDay(country, at)
    return day <= last && day > dayBefore(last, maxEvidenceDays)
  }
  if (within(lookedAt)) return 'no-snapshot'
  return refresh?.status === 'failed' && within(refresh.finishedAt) ? 'source-failed' : 'never-collected'
}

/** The observation an estimate starts from: the last capture of its chart that day, or the next count of ratings. */
interface DayEvidence extends Omit<NamedReading, 'readingId'> {
  observedAt: Date
}

/** The starting evidence of stored estimates, by day and chart; none for those without a rank or gained ratings. */
async function evidenceOfDays(
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
  return chart === undefined ? undefined : { day: String(named(chartDayInput) ?? day), chart: String(chart) }
}
