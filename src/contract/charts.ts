import { z } from 'zod'
import examples from './examples/charts.json' with { type: 'json' }
import { type Contract, operations } from './operation.ts'
import { AlsoIn, AppLabel } from './shapes/apps.ts'
import { ChartKind, ChartName, Device, Rank, RankOfDay, SeriesPoint } from './shapes/charts.ts'
import { Evidence, pointEvidence, SeriesSources } from './shapes/evidence.ts'
import { NotMeasured } from './shapes/facts.ts'
import { CategoryId, Country, Day, EarlierTime, StoreId, Timestamp } from './shapes/primitives.ts'
import { SourceIssueList } from './shapes/source-issues.ts'

/** Most places of a chart snapshot. Apple returns 100 today, older feeds returned 200. */
export const maxChartPlaces = 200

const ChartEntry = z
  .object({
    rank: z.int().min(1),
    app: AppLabel,
    previousRank: Rank.describe(
      'Place in the snapshot compared with: the one before, or that of `comparedWith`. Not measured when there is none.',
    ),
    change: z
      .int()
      .nullable()
      .describe('Places climbed since then, negative when fallen; null without a previous rank.'),
    entry: z
      .enum(['same', 'up', 'down', 'new', 'returning', 'unknown'])
      .describe(
        '`new`: in no stored snapshot of this chart up to the one compared with. `returning`: seen earlier, but not in that one. `unknown`: there is none to compare with.',
      ),
  })
  .meta({ id: 'ChartEntry', description: 'One place of a chart.' })

const ChartLeaver = z
  .object({
    app: AppLabel,
    previousRank: z
      .int()
      .min(1)
      .describe(
        'Place in the snapshot compared with. The app is not among the `returned` places now; from deeper than those it may have moved unseen.',
      ),
  })
  .meta({ id: 'ChartLeaver', description: 'An app that a chart no longer shows.' })

const ChartLeavers = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        value: z.array(ChartLeaver).describe('Best previous rank first; empty when all are still there.'),
      })
      .meta({ id: 'MeasuredChartLeavers', description: 'All of the earlier snapshot that are gone.' }),
    NotMeasured,
  ])
  .meta({ id: 'ChartLeavers', description: 'Who is gone, or why nobody knows.' })

const ChartSnapshot = z
  .object({
    ...ChartName.shape,
    date: Day.describe("The storefront's own date of the capture."),
    capturedAt: Timestamp,
    previousCapturedAt: Timestamp.nullable().describe('The snapshot that ranks are compared with.'),
    oldestCapturedAt: Timestamp.optional().describe(
      'Only where no snapshot is as old as `comparedWith`: the first one that is stored, which can be compared with.',
    ),
    bound: z.int().describe('The most places a snapshot can hold here.'),
    requested: z.int().nullable().describe('Places asked of Apple; null when the file does not tell.'),
    returned: z.int().min(0).describe('Places Apple returned. Anything beyond is unknown, not absent.'),
    evidence: Evidence,
    previousEvidence: Evidence.nullable().describe(
      'The snapshot that ranks are compared with; null without one.',
    ),
    items: z
      .array(ChartEntry)
      .describe(
        'Best rank first, or in the order of `sort`, at most `limit`. Apps have the names, developers and icons they had then.',
      ),
    left: ChartLeavers.optional().describe(
      'Only with `comparedWith`: apps of that snapshot that this one does not show, whatever `limit`. Not measured when there is no snapshot at or before it.',
    ),
    trouble: SourceIssueList,
  })
  .meta({ id: 'ChartSnapshot', description: 'One capture of one chart.' })

const AppChartHistory = z
  .object({
    ...ChartName.shape,
    best: z
      .object({ rank: z.int(), date: Day, ...pointEvidence })
      .describe('Best rank of `series`, the earliest day that had it.'),
    current: RankOfDay.describe('On the newest day of the window that is known.'),
    daysInChart: z.int().min(0),
    daysOutside: z.int().min(0).describe('Days on which the app was absent, down to a depth.'),
    daysWithoutSnapshot: z
      .int()
      .min(0)
      .describe('Days without a snapshot and without a told rank: they say nothing about the rank.'),
    snapshots: z
      .int()
      .min(0)
      .describe(
        'Captures in the window; a day can have several, its last one counts. Lists with gaps are none.',
      ),
    evidence: Evidence.describe(
      'The newest snapshot of the chart in the window; without any, the newest list that tells of the app.',
    ),
    series: z.array(SeriesPoint).describe('Every day of the window, oldest first.'),
  })
  .meta({ id: 'AppChartHistory', description: 'The ranks of one app in one chart.' })

const ChartHistory = z
  .object({
    app: AppLabel,
    country: Country,
    alsoIn: AlsoIn,
    from: Day,
    to: Day,
    charts: z
      .array(AppChartHistory)
      .describe(
        'Charts of which a day of the window shows the app, best rank first. Empty when there is none.',
      ),
    sources: SeriesSources,
    coverage: z
      .object({
        chartsObserved: z
          .int()
          .min(0)
          .describe(
            'Charts of the storefront, of those asked for, with a snapshot in the window or with a list that tells of the app.',
          ),
        chartsWithApp: z.int().min(0).describe('Those among them of which a day shows the app.'),
        keptFrom: Day.optional().describe(
          'Present where this installation removed old snapshots and the window reaches back to them: the first day from which on all are kept. A day before it without a snapshot may have had one.',
        ),
      })
      .describe(
        'What was looked at: an empty list with charts observed means absent, without them not measured.',
      ),
    trouble: SourceIssueList,
  })
  .meta({ id: 'ChartHistory', description: 'The dated ranks of one app.' })

export const chartOperations = operations({
  get_apple_charts: {
    method: 'GET',
    path: '/v1/charts',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['charts'],
    summary: 'The latest stored snapshot of one Apple chart, or the one of a date, best rank first.',
    description:
      'Answers the newest stored snapshot of the chart, or the last one of `date` in the storefront’s own calendar. Every entry carries its rank in the snapshot before and whether it is new or returning. With `comparedWith` that is the last snapshot at or before a day or time, `left` says who is gone since, and `previousEvidence` which snapshot it is: `comparedWith=30d` and `sort=gain` answer who gained most in 30 days. When no snapshot is that old, previous ranks and `left` are not measured. A snapshot holds at most 200 places and says how many Apple really returned: an app beyond them is unknown, not absent. Nothing is collected by this read. A chart that was never observed answers `chart-not-found`; a date nobody captured answers `snapshot-not-found` and names the nearest dates; so does one of which only ranks of some apps are known, which `get_apple_chart_history` shows.',
    query: z.strictObject({
      country: Country.default('us'),
      chart: ChartKind.default('top-free'),
      categoryId: CategoryId.default('36').describe('Apple genre id; `36` is all categories.'),
      device: Device.default('iphone'),
      date: Day.optional().describe(
        'Date of the snapshot in the storefront; the newest snapshot when left out.',
      ),
      comparedWith: EarlierTime.optional().describe(
        'Day, time, or `30d`: days before. Ranks are compared with the last snapshot at or before it: a date of the storefront, a time in UTC, or the date so many days before that of the snapshot shown; with the snapshot before when left out.',
      ),
      sort: z
        .enum(['rank', 'gain'])
        .default('rank')
        .describe(
          '`gain`: places climbed, most first. An app that the earlier snapshot does not show counts as if it had stood just below its last place, and comes last where its rank is deeper than that.',
        ),
      limit: z.int().min(1).max(maxChartPlaces).default(maxChartPlaces).describe('How many places to answer.'),
    }),
    reply: ChartSnapshot,
    problems: ['chart-not-found', 'snapshot-not-found'],
    list: {
      at: 'items',
      summaryColumns: ['rank', 'change', 'entry', 'app.storeId', 'app.name', 'app.namedIn', 'app.developer'],
      leavesOut: [
        'left.value.app.platform',
        'left.value.app.iconUrl',
        'left.value.app.catalogued',
        'left.value.app.developer',
      ],
      atAGlance: 40,
    },
    example: examples.get_apple_charts,
    title: 'Chart',
    use: 'Who ranks where; who gained most: `comparedWith=30d`, `sort=gain`.',
  },
  get_apple_chart_history: {
    method: 'GET',
    path: '/v1/charts/apps/{storeId}/history',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['charts'],
    summary: 'The dated ranks of one app in every chart of a storefront that showed it, day by day.',
    description:
      'For each chart a series with one point for every day of the window: a rank; absent, with the number of places that were looked at; or not measured: `no-snapshot` when nobody captured the chart that day, `partial-snapshot` when only ranks of other apps are known of the day, `suspect-empty` when Apple answered with an empty chart that had apps before. A rank that a list tells without the places around it, such as a rank history of some apps, is measured, with `depth` null, and nobody is absent for it. Where a day has several snapshots its last one counts. Without `to` the window ends with the newest stored snapshot of the storefront, or the newest told rank of the app, without `from` it covers 90 days; it may span up to 1,100 days. A known app that no chart showed answers an empty list with the coverage, not an error; an id that no stored evidence ever named is not found. Nothing is collected by this read.',
    params: z.strictObject({ storeId: StoreId }),
    query: z.strictObject({
      country: Country.default('us'),
      chart: ChartKind.optional().describe('Only this kind; all kinds when left out.'),
      categoryId: CategoryId.optional().describe('Only this genre; all genres when left out.'),
      device: Device.optional().describe('Only this device; both when left out.'),
      from: Day.optional().describe('First day of the window, a date of the storefront, included.'),
      to: Day.optional().describe('Last day of the window, a date of the storefront, included.'),
    }),
    reply: ChartHistory,
    problems: ['competitor-not-found'],
    list: {
      at: 'charts',
      summaryColumns: [
        'chart',
        'categoryId',
        'categoryName',
        'device',
        'best',
        'current',
        'daysInChart',
        'daysOutside',
        'daysWithoutSnapshot',
      ],
    },
    example: examples.get_apple_chart_history,
    title: 'Chart ranks of an app',
    use: 'Each day: `fields=series`.',
  },
} as const satisfies Contract)
