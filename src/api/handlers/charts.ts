import type { z } from 'zod'
import { type chartOperations as contract, maxChartPlaces } from '../../contract/charts.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { Rank, RankOfDay } from '../../contract/shapes/charts.ts'
import { labelsOfApps, labelsOfAppsAt, storefrontsOfApp } from '../../domain/catalogue/app.ts'
import { genreName } from '../../domain/catalogue/genres.ts'
import type { ChartSeries, DayCapture, HistoryDay } from '../../domain/charts/history.ts'
import { chartHistory } from '../../domain/charts/history.ts'
import { provenanceOfCapture } from '../../domain/charts/history-queries.ts'
import {
  chartsOfAllStorefronts,
  everCharted,
  snapshotRangesOf,
  storedChartsOf,
} from '../../domain/charts/queries.ts'
import { appsInRankLists } from '../../domain/charts/rank-list-queries.ts'
import {
  byGain,
  type ChartEntry,
  chartSnapshot,
  leaversOf,
  type Snapshot,
} from '../../domain/charts/snapshot.ts'
import { chartSubject } from '../../domain/collecting/suspects.ts'
import { notMeasured, rankFact } from '../../domain/facts/fact.ts'
import type { Database } from '../../storage/database.ts'
import { withPreparedStatements } from '../../storage/prepared.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import type { Handlers } from '../door.ts'
import { chartSources, evidenceOf, sourceIssues } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { Problem, refuseInput } from '../problem.ts'
import { type Replies, type RestsEverywhere, withRememberedReplies } from '../remembered-replies.ts'
import { refuseLongWindow, SeriesSources } from '../series.ts'
import { competitorNotFound } from './add-app.ts'

export function chartHandlers(store: Database, replies: Replies): Handlers<typeof contract> {
  const db = withPreparedStatements(store)
  return {
    get_apple_charts: withRememberedReplies(
      replies,
      'get_apple_charts',
      (input: ChartsInput) => ({ input }),
      ({ input }, everywhere) => getCharts(db, input, everywhere),
    ),
    get_apple_chart_history: withRememberedReplies(
      replies,
      'get_apple_chart_history',
      (input: HistoryInput, { accountId }) => {
        refuseLongWindow(input)
        // Without snapshots of the storefront, the window ends today. A refusal mentions the intakes of the account.
        return { input, accountId, today: storefrontDay(input.country, new Date()) }
      },
      ({ input, accountId }) => getHistory(db, input, accountId, new Date()),
    ),
  }
}

type ChartsInput = Input<(typeof contract)['get_apple_charts']>
type HistoryInput = Input<(typeof contract)['get_apple_chart_history']>

async function getCharts(
  db: Database,
  input: ChartsInput,
  everywhere: RestsEverywhere,
): Promise<Reply<(typeof contract)['get_apple_charts']>> {
  const { country, device, date, comparedWith, sort, limit } = input
  const wanted = { kind: input.chart, categoryId: Number(input.categoryId), device }
  const [chart] = await storedChartsOf(db, country, wanted)
  if (!chart) return refuseUnknownChart(db, input)
  const found = await chartSnapshot(db, chart, date, comparedWith)
  if ('nearest' in found) {
    const near = [found.nearest.before, found.nearest.after].filter((day) => day !== null)
    throw new Problem(
      'snapshot-not-found',
      `No snapshot of this chart is stored for ${date}.${await listsInstead(db, input, date)} ${near.length > 0 ? `The nearest are of ${near.join(' and ')}.` : ''}`.trim(),
    )
  }
  const { snapshot, previous } = found
  refuseLaterComparison(snapshot, comparedWith)
  const entries = (sort === 'gain' ? byGain(found) : found.entries).slice(0, limit)
  const leavers = comparedWith === undefined ? [] : leaversOf(found)
  const storeIds = [...entries, ...leavers].map(({ storeId }) => storeId)
  const [named, trouble, oldest] = await Promise.all([
    labelsOfAppsAt(db, storeIds, country, snapshot.capturedAt),
    sourceIssues(db, chartSources, country, [chartSubject(chart)]),
    comparedWith !== undefined && !previous ? oldestCapture(db, { ...chart, country }) : undefined,
  ])
  const labels = new Map(named.map((label) => [label.storeId, label]))
  // Where the storefront does not know a name, it is the one of the storefront with most ratings, now or once there is one.
  if (storeIds.some((storeId) => labels.get(storeId)?.namedIn !== country)) everywhere()
  return {
    ...chartName(country, chart),
    date: snapshot.day,
    capturedAt: snapshot.capturedAt.toISOString(),
    previousCapturedAt: previous?.capturedAt.toISOString() ?? null,
    ...(oldest && { oldestCapturedAt: oldest.toISOString() }),
    bound: maxChartPlaces,
    requested: snapshot.requested,
    returned: snapshot.returned,
    evidence: evidenceOf(snapshot, snapshot.capturedAt, country),
    previousEvidence: previous ? evidenceOf(previous, previous.capturedAt, country) : null,
    items: entries.map((entry) => ({
      rank: entry.rank,
      app: appLabel(entry.storeId, labels.get(entry.storeId)),
      previousRank: previousRank(entry, previous?.returned),
      change: entry.previousRank === null ? null : entry.previousRank - entry.rank,
      entry: entry.entry,
    })),
    ...(comparedWith === undefined
      ? {}
      : {
          left: previous
            ? {
                state: 'measured',
                value: leavers.map(({ storeId, previousRank: rank }) => ({
                  app: appLabel(storeId, labels.get(storeId)),
                  previousRank: rank,
                })),
              }
            : notMeasured('no-snapshot'),
        }),
    trouble,
  }
}

async function oldestCapture(db: Database, { country, kind, categoryId, device }: ChartIdentity) {
  const [range] = (await snapshotRangesOf(db, [{ country, kind, categoryId, device }])).values()
  return range?.oldest
}

/** A snapshot that is compared with itself, or with a later one, would tell of no movement. */
function refuseLaterComparison({ day, capturedAt }: Snapshot['snapshot'], comparedWith: string | undefined) {
  if (comparedWith === undefined) return
  if (comparedWith.endsWith('d')) return
  const isBefore = comparedWith.includes('T') ? new Date(comparedWith) < capturedAt : comparedWith < day
  if (isBefore) return
  const message = `must lie before the snapshot shown, which is of ${day} (${capturedAt.toISOString()})`
  refuseInput([{ pointer: '/query/comparedWith', message }])
}

/** Most stored charts that a refusal names in its text, and in its data for programs. */
const [namedInText, namedForPrograms] = [20, 50]

/** Refuses and names stored charts, those most like the requested one first: of this storefront where it has any. */
async function refuseUnknownChart(db: Database, input: ChartsInput): Promise<never> {
  const { country, chart, categoryId, device } = input
  const [ofCountry, trouble] = await Promise.all([
    storedChartsOf(db, country),
    sourceIssues(db, chartSources, country),
  ])
  const why = trouble.map(({ text }) => ` ${text}`).join('')
  const found =
    ofCountry.length > 0
      ? ofCountry.map((row) => chartName(country, row))
      : (await chartsOfAllStorefronts(db, namedForPrograms)).map((row) => chartName(row.country, row))
  const likeness = (name: ReturnType<typeof chartName>) =>
    Number(name.categoryId === categoryId) + Number(name.chart === chart) + Number(name.device === device)
  const stored = found.sort((a, b) => likeness(b) - likeness(a))
  const names = stored
    .slice(0, namedInText)
    .map((name) => `${name.chart} ${name.categoryId} (${name.categoryName}) ${name.device}`)
  const asked = `${chart} of category ${categoryId} for ${device} in ${country}`
  const told = await listsInstead(db, input, input.date)
  throw new Problem(
    'chart-not-found',
    ofCountry.length === 0
      ? `No chart of ${country} was ever stored.${told}${why}`
      : `The chart ${asked} was never stored.${told} Stored for ${country}: ${names.join(', ')}${stored.length > namedInText ? ', ...' : ''}.${why}`,
    { storedCharts: stored.slice(0, namedForPrograms) },
  )
}

/** A sentence about a chart without a snapshot that has ranks of single apps, which are no chart. */
async function listsInstead(db: Database, input: ChartsInput, date: string | undefined): Promise<string> {
  const { country, chart: kind, device } = input
  const apps = await appsInRankLists(db, { country, kind, categoryId: Number(input.categoryId), device }, date)
  if (apps === 0) return ''
  return ` Only ranks of ${apps === 1 ? '1 app' : `${apps.toLocaleString('en')} apps`} are known of it, the other places were not seen: get_apple_chart_history shows the ranks of an app.`
}

function previousRank(entry: ChartEntry, returned: number | undefined): z.output<typeof Rank> {
  if (returned === undefined) return notMeasured('no-snapshot')
  return rankFact(entry.previousRank, returned)
}

function chartName(country: string, chart: Omit<ChartIdentity, 'country'>) {
  return {
    country: country as StorefrontCode,
    chart: chart.kind,
    categoryId: String(chart.categoryId),
    categoryName: genreName(chart.categoryId) ?? `Genre ${chart.categoryId}`,
    device: chart.device,
  }
}

async function getHistory(
  db: Database,
  input: HistoryInput,
  accountId: string,
  now: Date,
): Promise<Reply<(typeof contract)['get_apple_chart_history']>> {
  const { storeId, country, chart, categoryId, device, from, to } = input
  const query = {
    storeId,
    country,
    only: {
      ...(chart ? { kind: chart } : {}),
      ...(categoryId ? { categoryId: Number(categoryId) } : {}),
      ...(device ? { device } : {}),
    },
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
  const [history, [label], storefronts, trouble] = await Promise.all([
    chartHistory(db, query, now),
    labelsOfApps(db, [storeId], country),
    storefrontsOfApp(db, storeId),
    sourceIssues(db, chartSources, country, ['chart ']),
  ])
  // Absence needs a known app: an id that never appeared anywhere may not be an app at all.
  if (!label && history.series.length === 0 && !(await everCharted(db, storeId)))
    throw await competitorNotFound(db, accountId, storeId, country)
  const sources = new SeriesSources(country)
  return {
    app: {
      ...appLabel(storeId, label?.namedIn === country ? label : undefined),
      catalogued: label !== undefined,
    },
    country,
    alsoIn: storefronts.filter((other) => other !== country) as StorefrontCode[],
    from: history.from,
    to: history.to,
    charts: history.series.map((series) => seriesShape(country, series, sources)),
    sources: sources.list,
    coverage: {
      chartsObserved: history.chartsObserved,
      chartsWithApp: history.series.length,
      ...(history.keptFrom === null ? {} : { keptFrom: history.keptFrom }),
    },
    trouble,
  }
}

function seriesShape(
  country: StorefrontCode,
  { chart, days, best, snapshots, newest }: ChartSeries,
  sources: SeriesSources,
) {
  const seen = ({ capturedAt, readAs }: DayCapture) => sources.at(capturedAt, provenanceOfCapture(readAs))
  const observed = days.filter((day) => day.capture !== null)
  const current = observed.at(-1)
  return {
    ...chartName(country, chart),
    best: { rank: best.rank, date: best.date, ...seen(best.capture) },
    current: current ? dayRank(current) : notMeasured('no-snapshot'),
    daysInChart: observed.filter((day) => day.rank !== null).length,
    daysOutside: observed.filter((day) => day.rank === null).length,
    daysWithoutSnapshot: days.length - observed.length,
    snapshots,
    evidence: evidenceOf(newest, newest.capturedAt, country),
    series: days.map((day) => ({
      date: day.date,
      rank: dayRank(day),
      ...(day.capture ? seen(day.capture) : { observedAt: null, source: null }),
    })),
  }
}

function dayRank(day: HistoryDay): z.output<typeof RankOfDay> {
  if (day.capture === null) return notMeasured(day.missing)
  const { rank, depth } = day
  return rank === null ? { state: 'absent', depth } : { state: 'measured', value: rank, depth }
}
