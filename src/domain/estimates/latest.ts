import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartKinds, chartRow } from '../../vocabulary/chart-kinds.ts'
import type { EstimateMetric } from '../../vocabulary/estimates.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { rootGenre } from '../catalogue/genres.ts'
import type { ChartRow } from '../charts/queries.ts'
import { chartDayInput } from './estimate-inputs.ts'
import type { EstimateRow } from './queries.ts'

/** What is known of an app that decides which charts can show it. */
export interface ChartedApp {
  country: string
  /** Undefined where it is not known: then it counts as free. */
  price: number | undefined
  categoryIds: readonly number[]
}

/** Something that would make an estimate surer, and how to have it. */
export interface Surer {
  kind: 'estimate-again' | 'own-sales' | 'newer-chart' | 'missing-chart' | 'ratings'
  text: string
}

/** The newest estimate of a metric in its whole series. */
export interface LatestEstimate {
  metric: EstimateMetric
  /** Undefined where no day has a range. */
  estimate: EstimateRow | undefined
  /** The rank that weighs most, and the day of its chart; null where the estimate starts from ratings, or there is none. */
  startsFrom: { chart: string; rank: number; on: string } | null
  /** Newest day of a stored chart that could show the app; null where there is none. */
  chartsSeenUntil: string | null
  /** What helps most first. */
  surer: Surer[]
}

/** Whether an input is of gained ratings, by themselves or beside ranks. */
const isOfRatings = ({ name, value }: EstimateRow['inputs'][number]) =>
  name === 'ratings gained' || (name === 'evidence' && / ratings? in /.test(String(value)))

/** Charts named in one sentence. */
const namedCharts = 3

/**
 * The latest estimate of a metric, what it starts from and what would make it surer.
 * @param charts stored charts of the storefront
 * @param readUntil the newest day that was estimated, with a range or not; null where none was
 */
export function latestEstimate(
  metric: EstimateMetric,
  estimate: EstimateRow | undefined,
  app: ChartedApp,
  charts: readonly ChartRow[],
  readUntil: string | null,
): LatestEstimate {
  const startsFrom = estimate ? startOf(estimate) : null
  const could = chartsOf(metric, app)
  const stored = charts.flatMap(({ newestCapturedAt, ...chart }) => {
    const name = chartName({ ...chart, country: app.country })
    const isSeen = could.includes(name) || name === startsFrom?.chart
    return isSeen ? [{ name, day: storefrontDay(app.country, newestCapturedAt) }] : []
  })
  const seen = stored.map(({ day }) => day).sort()
  return {
    metric,
    estimate,
    startsFrom,
    chartsSeenUntil: seen.at(-1) ?? null,
    surer: surerBy({ metric, estimate, startsFrom, could, stored, until: seen.at(-1), readUntil }),
  }
}

/** The charts for iPhone that would show the app with enough downloads or revenue: of all apps first, then of its categories. */
function chartsOf(metric: EstimateMetric, { country, price, categoryIds }: ChartedApp): string[] {
  const soldAs = price !== undefined && price > 0 ? 'paid' : 'free'
  const kinds = chartKinds.filter((kind: ChartKind) => {
    const { ranksBy, apps } = chartRow(kind)
    return ranksBy === metric && (apps === undefined || apps === soldAs)
  })
  const categories = [...new Set([rootGenre, ...categoryIds])]
  return categories.flatMap((categoryId) =>
    kinds.map((kind) => chartName({ country, kind, categoryId, device: 'iphone' } satisfies ChartIdentity)),
  )
}

function startOf({ day, inputs }: EstimateRow): LatestEstimate['startsFrom'] {
  const named = (name: string) => inputs.find((input) => input.name === name)?.value
  const [chart, rank] = [named('chart'), named('rank')]
  if (chart === undefined || rank === undefined) return null
  return { chart: String(chart), rank: Number(rank), on: String(named(chartDayInput) ?? day) }
}

function surerBy({
  metric,
  estimate,
  startsFrom,
  could,
  stored,
  until,
  readUntil,
}: {
  metric: EstimateMetric
  estimate: EstimateRow | undefined
  startsFrom: LatestEstimate['startsFrom']
  could: readonly string[]
  stored: readonly { name: string; day: string }[]
  until: string | undefined
  readUntil: string | null
}): Surer[] {
  const found: Surer[] = []
  const add = (kind: Surer['kind'], text: string) => found.push({ kind, text })
  if (until !== undefined && until > (readUntil ?? ''))
    add(
      'estimate-again',
      `Charts are stored until ${until}, and ${readUntil === null ? 'no day was estimated' : `days were estimated until ${readUntil}`}: refresh_competitor_estimates reads them.`,
    )
  if (readUntil !== null && readUntil > (estimate?.day ?? ''))
    add(
      'newer-chart',
      `Days until ${readUntil} were estimated, and none ${estimate ? `after ${estimate.day} ` : ''}had a range: a capture that shows the app at a rank the model speaks about gives one.`,
    )
  else if (startsFrom && estimate && startsFrom.on < estimate.day)
    add(
      'newer-chart',
      `It starts from a rank of ${startsFrom.on} and is wider for the days since: a capture of ${startsFrom.chart} that shows the app narrows it.`,
    )
  if (!estimate?.version.includes('cal-'))
    add(
      'own-sales',
      `No own sales are used: daily sales reports of an app of yours that stood in ${startsFrom?.chart ?? could[0]} (rivalscope import sales, then calibrate) narrow the range and test it.`,
    )
  const missing = could.filter((name) => !stored.some((chart) => chart.name === name))
  if (missing.length > 0)
    add(
      'missing-chart',
      `Never captured: ${missing.slice(0, namedCharts).join(', ')}${missing.length > namedCharts ? ' and others' : ''}.`,
    )
  if (metric === 'downloads' && !estimate?.inputs.some(isOfRatings))
    add('ratings', 'No ratings gained count in it: two observations at most 60 days apart would.')
  return found
}
