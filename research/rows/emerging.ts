import { sql } from 'kysely'
import { genreName } from '../../src/domain/catalogue/genres.ts'
import { type CaptureList, capturesOf } from '../../src/domain/charts/history-queries.ts'
import {
  type ChartHistory,
  type FollowedApp,
  type FollowedGroups,
  followAppsOfChart,
  type GroupName,
  groupNames,
  outcomeOfGroup,
} from '../../src/domain/emerging/backtest.ts'
import { emergingFormula } from '../../src/domain/emerging/score.ts'
import { chartHistoriesOf, outcomeHorizonDays } from '../../src/domain/emerging/stored-backtest.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { bootstrapInterval } from '../statistics.ts'

/** Apps in each group without which there is no figure. */
const fewestApps = 20
/** The default settings of discovery. */
const windowDays = 14

/** Do apps that moved up go on to better ranks, more often than who did not? */
export const emergingBacktest: Backtest = {
  model: 'emerging',
  formula: emergingFormula,
  measure: `share of apps that had moved up with a better rank ${outcomeHorizonDays[0]} days later`,
  better: 'higher',
  unit: '%',
  baseline:
    'apps below the median of their own ranks, which return to it; the other apps of the chart and those at the same ranks stand in the details',
  goal: null,
  data: 'stored charts with a capture a day; nothing is fitted to them',
  run,
}

interface StoredChart {
  chartId: number
  name: string
  country: string
}

async function run({ db, signal, progress }: BacktestContext): Promise<BacktestOutcome> {
  const charts = await storedCharts(db)
  const judged: { chart: StoredChart; after: FollowedGroups[] }[] = []
  for (const [done, chart] of charts.entries()) {
    signal.throwIfAborted()
    const history = await historyOf(db, chart)
    judged.push({ chart, after: followAppsOfChart(history, { horizons: outcomeHorizonDays, windowDays }) })
    progress(done + 1, charts.length)
  }
  const byChart = (at: number, group: GroupName) => judged.map(({ after }) => after[at]?.[group] ?? [])
  const [movedUp, below] = [outcomeOfGroup(byChart(0, 'movedUp')), outcomeOfGroup(byChart(0, 'belowMedian'))]
  if (movedUp.apps < fewestApps || below.apps < fewestApps)
    return {
      state: 'not-validated',
      why: `Stored charts tell what became of ${movedUp.apps} apps that moved up and of ${below.apps} below their own median; ${fewestApps} of each are needed.`,
    }
  return {
    state: 'measured',
    figure: percent(movedUp.better),
    interval: intervalOf(byChart(0, 'movedUp')),
    baselineFigure: percent(below.better),
    cases: movedUp.flags,
    leftOut: 0,
    details: [
      tableOf(
        'By group and days after',
        outcomeHorizonDays.flatMap((days, at) =>
          groupNames.map((group) => ({ name: `${names[group]}, ${days} days`, of: byChart(at, group) })),
        ),
      ),
      ...outcomeHorizonDays.map((days, at) =>
        tableOf(
          `By chart, ${days} days`,
          judged.slice(0, 100).flatMap(({ chart, after }) =>
            groupNames.map((group) => ({
              name: `${chart.name}: ${names[group]}`,
              of: [after[at]?.[group] ?? []],
            })),
          ),
        ),
      ),
    ],
  }
}

const names: Record<GroupName, string> = {
  movedUp: 'moved up',
  others: 'others',
  sameRanks: 'same ranks',
  belowMedian: 'below own median',
}

const percent = (share: number | null) => 100 * (share ?? 0)

/**
 * The confidence interval of the share with a better rank, in percent. Apps are resampled, not days, since days of one app
 * are correlated.
 */
function intervalOf(byChart: readonly (readonly FollowedApp[])[]) {
  const apps = byChart
    .flatMap((ofChart) => [...Map.groupBy(ofChart, ({ storeId }) => storeId).values()])
    .map((days) => [
      { better: days.filter(({ charting, change }) => charting && change < 0).length, of: days.length },
    ])
  return bootstrapInterval(apps, (drawn) => {
    const [better, of] = drawn.reduce(([sum, all], one) => [sum + one.better, all + one.of], [0, 0])
    return (100 * better) / of
  })
}

function tableOf(title: string, lines: readonly { name: string; of: readonly (readonly FollowedApp[])[] }[]) {
  return {
    kind: 'table' as const,
    title,
    columns: [
      'apps',
      'flags',
      'different apps',
      'better rank, %',
      'from (90 %)',
      'to (90 %)',
      'still charting, %',
      'median change of rank',
    ],
    rows: lines.map(({ name, of }) => {
      const { flags, apps, better, charting, medianChange } = outcomeOfGroup(of)
      const shown = (share: number | null) => (share === null ? null : Math.round(1000 * share) / 10)
      const interval = flags === 0 ? null : intervalOf(of)
      const bound = (one: number | undefined) => shown(one === undefined ? null : one / 100)
      return [
        name,
        flags,
        apps,
        shown(better),
        bound(interval?.low),
        bound(interval?.high),
        shown(charting),
        medianChange,
      ]
    }),
  }
}

async function historyOf(db: Database, { chartId }: StoredChart): Promise<ChartHistory> {
  const lists: CaptureList[] = await capturesOf(db, [chartId], '2000-01-01', '9999-01-01')
  return (await chartHistoriesOf(db, lists.map(newest))).get(chartId) ?? []
}

/** Captures of one chart that are read: three years of every day. */
const mostCaptures = 1_100
const newest = ({ chartId, captures }: CaptureList): CaptureList => ({
  chartId,
  captures: captures.slice(-mostCaptures),
})

/** Charts with enough captures to be followed, most captures first. */
async function storedCharts(db: Database): Promise<StoredChart[]> {
  const found = await rows(
    db,
    sql<{ chartId: number; country: string; kind: string; device: string; categoryId: number }>`
      select c.chart_id as "chartId", c.country, c.kind, c.device, c.category_id as "categoryId"
      from charts c
      join (select chart_id, count(*) as captures from chart_snapshots group by chart_id) s using (chart_id)
      where s.captures > ${outcomeHorizonDays[0]}
      order by s.captures desc, c.chart_id
      limit 1000`,
  )
  return found.map(({ chartId, country, kind, device, categoryId }) => ({
    chartId,
    country,
    name: `${country}, ${kind}, ${genreName(categoryId) ?? categoryId}, ${device}`,
  }))
}
