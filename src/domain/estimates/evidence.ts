import type { Database } from '../../storage/database.ts'
import { chartName } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartRow } from '../../vocabulary/chart-kinds.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { type CaptureList, capturesOf, type RankList, ranksOfApp } from '../charts/history-queries.ts'
import { type ChartRow, storedChartsOf } from '../charts/queries.ts'
import { firstCompleteDay } from '../evidence/removed-months.ts'
import {
  type ChartEligibility,
  capturesWithGaps,
  chartEligibility,
  type MonthlyBridge,
  monthlyBridges,
  newestCalibrations,
  ratingCounts,
} from './evidence-queries.ts'
import { bridgedModel, type Calibration, isOverallChart, type RankModel, rankModelsOf } from './rank-models.ts'
import type { RatingCount } from './rating-growth.ts'
import { type ChartDays, type EstimateEvidence, possibleVersions } from './series.ts'

/** Days before today from which evidence is used. */
export const maxEvidenceDays = 1_096
const dayMs = 86_400_000

/**
 * The stored evidence of one app in one storefront: its ranks and ratings of the last three years and the data of the charts
 * it was in. Leaves out days of which retention removed evidence: their stored estimates stay.
 * @param calibrated whether calibrations are used, or only published numbers
 */
export async function estimateEvidence(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  now: Date,
  calibrated = true,
): Promise<EstimateEvidence> {
  const today = storefrontDay(country, now)
  const whole = await firstCompleteDay(db, ['chart-ranks', 'ratings'])
  const oldest = [dayBefore(today, maxEvidenceDays - 1), whole ?? ''].reduce((one, other) =>
    one > other ? one : other,
  )
  const charts = await storedChartsOf(db, country)
  const ids = charts.map(({ chartId }) => chartId)
  const [ranks, ratings, calibrations, terms] = await Promise.all([
    ranksOfApp(db, storeId, ids, new Date(oldest), new Date(now.getTime() + 3 * dayMs)),
    ratingCounts(db, storeId, country, oldest),
    calibrated ? newestCalibrations(db, country) : [],
    chartEligibility(db, storeId, country),
  ])
  const first = ranks.flatMap((list) => list.ranks.map(([capturedAt]) => capturedAt)).reduce(least, Infinity)
  const from = Number.isFinite(first) ? dayBefore(new Date(first).toISOString().slice(0, 10), 1) : oldest
  const ranked = new Set(ranks.map(({ chartId }) => chartId))
  const kinds = new Set(charts.filter(({ chartId }) => ranked.has(chartId)).map(({ kind }) => kind))
  const could = (chart: ChartRow) => couldHold(chart, terms, kinds)
  const watched = charts.filter((chart) => ranked.has(chart.chartId) || isOverallChart(chart) || could(chart))
  const pairs = pairsOf(watched, charts)
  const [captures, bridges] = await Promise.all([
    capturesOf(
      db,
      watched.map(({ chartId }) => chartId),
      from,
      today,
    ),
    pairs.length === 0 ? [] : monthlyBridges(db, pairs, from, today),
  ])
  const models = new Models(country, charts, calibrations, bridges)
  const looked = watched.map((chart) => ({ chart, days: daysOfChart(chart, captures, ranks) }))
  const gaps = await capturesWithGaps(
    db,
    looked
      .filter(({ chart }) => could(chart))
      .flatMap(({ chart: { chartId }, days }) =>
        [...days.values()].flatMap(({ rank, at }) => (rank === null ? [{ chartId, at }] : [])),
      ),
  )
  const soldAs = remembered(soldOn(looked, terms))
  const days = looked.map(
    ({ chart, days }): ChartDays => ({
      chart: { ...chart, country },
      days: new Map(
        [...days].map(([day, { rank, depth, at }]) => [
          day,
          { rank, depth, gaps: gaps.has(`${chart.chartId} ${at}`) },
        ]),
      ),
      couldHoldOn: (day) => could(chart) && shows(chart, soldAs(day)),
      modelsOn: (day) => models.of(chart, day.slice(0, 7)),
    }),
  )
  return {
    days: daysOf(days, ratings),
    charts: days,
    ratings,
    since: oldest,
    versions: possibleVersions(
      calibrations.filter(({ used }) => used).map(({ calibrationId }) => calibrationId),
    ),
  }
}

const least = (one: number, other: number) => Math.min(one, other)

/**
 * Whether a chart could ever show an app with enough downloads or revenue. Charts for iPad are left out: some apps are for
 * iPhone alone.
 */
function couldHold(chart: ChartRow, terms: ChartEligibility, seenIn: ReadonlySet<ChartKind>): boolean {
  if (chart.device !== 'iphone') return false
  const ofKind = seenIn.has(chart.kind) || shows(chart, pricedAs(terms))
  return ofKind && (isOverallChart(chart) || (terms.categoryIds?.includes(chart.categoryId) ?? false))
}

type SoldAs = 'free' | 'paid'

/** Whether a chart shows apps that are sold so. */
function shows({ kind }: ChartRow, soldAs: SoldAs | undefined): boolean {
  const { apps } = chartRow(kind)
  return apps === undefined || apps === soldAs
}

/** An app without a known price counts as free, as nearly all are. */
const pricedAs = ({ price }: ChartEligibility): SoldAs => (price !== null && price > 0 ? 'paid' : 'free')

/**
 * Whether an app was free or paid on a day. Charts of free apps show no paid one and vice versa, but prices change: the
 * nearest evidence in time decides, a chart with the app or the observed price. Undefined where equally near evidence
 * conflicts.
 */
function soldOn(
  looked: readonly { chart: ChartRow; days: ReadonlyMap<string, { rank: number | null }> }[],
  terms: ChartEligibility,
): (day: string) => SoldAs | undefined {
  const told = new Map<string, Set<SoldAs>>()
  for (const { chart, days } of looked) {
    const { apps } = chartRow(chart.kind)
    if (!apps) continue
    for (const [day, { rank }] of days) if (rank !== null) told.set(day, (told.get(day) ?? new Set()).add(apps))
  }
  const priced = terms.price === null ? undefined : terms.pricedOn?.slice(0, 10)
  if (priced !== undefined && !told.has(priced)) told.set(priced, new Set([pricedAs(terms)]))
  const days = [...told.keys()].sort()
  return (day) => {
    if (days.length === 0) return pricedAs(terms)
    const near = [days.findLast((one) => one < day), days.find((one) => one >= day)].filter(
      (one) => one !== undefined,
    )
    const nearest = Math.min(...near.map((one) => daysApart(one, day)))
    const kinds = new Set(
      near.filter((one) => daysApart(one, day) === nearest).flatMap((one) => [...(told.get(one) ?? [])]),
    )
    return kinds.size === 1 ? kinds.values().next().value : undefined
  }
}

const daysApart = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) / dayMs

/** Charts with the overall chart that gives them their scale. */
function pairsOf(ranked: readonly ChartRow[], all: readonly ChartRow[]) {
  return ranked.flatMap((chart) => {
    const overall = all.find((other) => other.kind === chart.kind && isOverallChart(other))
    return overall && overall.chartId !== chart.chartId
      ? [{ chartId: chart.chartId, overallId: overall.chartId }]
      : []
  })
}

/** The models of the charts of one country, built once for each chart and month. */
class Models {
  readonly #country: string
  readonly #overall: readonly ChartRow[]
  readonly #bridges: ReadonlyMap<string, MonthlyBridge>
  readonly #calibrations: readonly Calibration[]
  readonly #made = new Map<string, RankModel[]>()

  constructor(
    country: string,
    charts: readonly ChartRow[],
    calibrations: readonly Calibration[],
    bridges: readonly MonthlyBridge[],
  ) {
    this.#country = country
    this.#calibrations = calibrations
    this.#bridges = new Map(bridges.map((bridge) => [`${bridge.chartId} ${bridge.month}`, bridge]))
    this.#overall = charts.filter(isOverallChart)
  }

  of(chart: ChartRow, month: string): RankModel[] {
    const key = `${chart.chartId} ${month}`
    const known = this.#made.get(key)
    if (known) return known
    const bridge = this.#bridges.get(key)
    const overallName = chartName({
      country: this.#country,
      kind: chart.kind,
      categoryId: 36,
      device: 'iphone',
    })
    const made = (one: ChartRow) =>
      rankModelsOf({ ...one, country: this.#country }, this.#calibrations, Number(month.slice(0, 4)))
    const overall = bridge && this.#overall.find(({ kind }) => kind === chart.kind)
    const bridged = overall
      ? made(overall).flatMap((model) => bridgedModel(model, overallName, bridge) ?? [])
      : []
    const models = [...made(chart), ...bridged].map(remembering)
    this.#made.set(key, models)
    return models
  }
}

/**
 * Caches levels by rank: an app has the same places again and again, and a range of many published laws is slow to compute.
 */
const remembering = (model: RankModel): RankModel => ({ ...model, at: remembered((rank) => model.at(rank)) })

/** Memoises a function of one argument. */
function remembered<Of, Value>(find: (of: Of) => Value): (of: Of) => Value {
  const known = new Map<Of, Value>()
  return (of) => {
    const value = known.has(of) ? (known.get(of) as Value) : find(of)
    known.set(of, value)
    return value
  }
}

/** The app's place on each day, from the day's last capture, as in the history of a chart. */
function daysOfChart(
  { chartId }: ChartRow,
  captures: readonly CaptureList[],
  ranks: readonly RankList[],
): Map<string, { rank: number | null; depth: number; at: number }> {
  const rankAt = new Map(ranks.find((list) => list.chartId === chartId)?.ranks)
  const captured = captures.find((list) => list.chartId === chartId)?.captures ?? []
  return new Map(
    captured.map(([at, day, returned]) => [day, { rank: rankAt.get(at) ?? null, depth: returned, at }]),
  )
}

/** All days from the first evidence of the app, or of a chart it could have been in, to the last. */
function daysOf(charts: readonly ChartDays[], ratings: readonly RatingCount[]): string[] {
  const looked = charts.flatMap(({ days }) => [...days])
  const seen = looked.flatMap(([day, { rank }]) => (rank === null ? [] : [day]))
  const rated = ratings.map(({ day }) => day)
  const starts = [...seen, ...rated]
  const from = (starts.length > 0 ? starts : looked.map(([day]) => day)).reduce(earlier, '9999-12-31')
  const to = [...looked.map(([day]) => day), ...rated].reduce((one, other) => (one > other ? one : other), '')
  const days: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs)
    days.push(new Date(time).toISOString().slice(0, 10))
  return days
}

const earlier = (one: string, other: string) => (one < other ? one : other)

export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}
