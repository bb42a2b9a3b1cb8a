import { sql } from 'kysely'
import { genreName } from '../../domain/catalogue/genres.ts'
import { type CaptureList, capturesOf } from '../../domain/charts/history-queries.ts'
import {
  type ChartHistory,
  type Followed,
  type FollowedGroups,
  followedIn,
  outcomeOf,
} from '../../domain/emerging/backtest.ts'
import { emergingFormula } from '../../domain/emerging/score.ts'
import { historiesOf, horizonDays } from '../../domain/emerging/stored-backtest.ts'
import { type Database, rows } from '../../storage/database.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'

/** Apps named rising, and new entrants, without which there is no figure. */
const fewestApps = 20
/** As discovery looks without being told otherwise. */
const windowDays = 14
/** The days and the storefront whose charts set the thresholds; flags of these days are not judged. */
const fitted = { country: 'us', from: '2026-02-17', until: '2026-02-25' }

/** Did apps that would have been named rising do better afterwards than apps that had just come in? */
export const emerging: Backtest = {
  model: 'emerging',
  formula: emergingFormula,
  measure: `share of apps named rising, by what was known that day, with a better rank ${horizonDays} days later`,
  better: 'higher',
  unit: '%',
  baseline: 'the same share of apps that came into the chart within a week',
  goal: null,
  data: 'stored charts with a capture a day; American charts of 17 to 25 February 2026 set the thresholds and are left out, all others are only checked on',
  run,
}

interface StoredChart {
  chartId: number
  name: string
  country: string
}

async function run({ db, signal, progress }: BacktestContext): Promise<Outcome> {
  const charts = await storedCharts(db)
  const judged: { chart: StoredChart; after: Map<number, FollowedGroups> }[] = []
  for (const [done, chart] of charts.entries()) {
    signal.throwIfAborted()
    const history = await historyOf(db, chart)
    const after = new Map([horizonDays, 2 * horizonDays].map((days) => [days, followed(chart, history, days)]))
    judged.push({ chart, after })
    progress(done + 1, charts.length)
  }
  const byChart = (days: number, group: keyof FollowedGroups) =>
    judged.map(({ after }) => after.get(days)?.[group] ?? [])
  const [rising, entrants] = [
    outcomeOf(byChart(horizonDays, 'rising')),
    outcomeOf(byChart(horizonDays, 'newEntrants')),
  ]
  if (rising.apps < fewestApps || entrants.apps < fewestApps)
    return {
      state: 'not-validated',
      why: `Stored charts tell what became of ${rising.apps} rising apps and ${entrants.apps} new entrants; ${fewestApps} of each are needed.`,
    }
  // Days of one app resemble each other: apps are drawn, not days.
  const groups = byChart(horizonDays, 'rising').flatMap((ofChart) => [
    ...Map.groupBy(ofChart, ({ storeId }) => storeId).values(),
  ])
  return {
    state: 'measured',
    figure: percent(rising.better),
    interval: bootstrapInterval(groups, betterShare),
    baselineFigure: percent(entrants.better),
    cases: rising.flags,
    leftOut: 0,
    details: [
      tableOf(
        'By group and days after',
        [...(judged[0]?.after.keys() ?? [])].flatMap((days) =>
          groupNames.map(([group, name]) => ({ name: `${name}, ${days} days`, of: byChart(days, group) })),
        ),
      ),
      tableOf(
        `By chart, ${horizonDays} days`,
        judged.slice(0, 100).flatMap(({ chart, after }) =>
          groupNames.map(([group, name]) => ({
            name: `${chart.name}: ${name}`,
            of: [after.get(horizonDays)?.[group] ?? []],
          })),
        ),
      ),
    ],
  }
}

const groupNames = [
  ['rising', 'rising'],
  ['newEntrants', 'new entrants'],
  ['others', 'others'],
] as const

const percent = (share: number | null) => 100 * (share ?? 0)
const betterShare = (cases: readonly Followed[]) => percent(outcomeOf([cases]).better)

function tableOf(title: string, lines: readonly { name: string; of: readonly (readonly Followed[])[] }[]) {
  return {
    kind: 'table' as const,
    title,
    columns: [
      'apps',
      'flags',
      'different apps',
      'better rank, %',
      'still charting, %',
      'median change of rank',
    ],
    rows: lines.map(({ name, of }) => {
      const { flags, apps, better, charting, medianChange } = outcomeOf(of)
      const shown = (share: number | null) => (share === null ? null : Math.round(1000 * share) / 10)
      return [name, flags, apps, shown(better), shown(charting), medianChange]
    }),
  }
}

/** Flags of the days that set the thresholds are left out; what is before them is still the past of later flags. */
function followed({ country }: StoredChart, history: ChartHistory, days: number): FollowedGroups {
  const settings = { horizonDays: days, windowDays }
  if (country !== fitted.country) return followedIn(history, settings)
  const groups = followedIn(history, settings)
  const isChecked = ({ day }: Followed) => day < fitted.from || day > fitted.until
  return {
    rising: groups.rising.filter(isChecked),
    newEntrants: groups.newEntrants.filter(isChecked),
    others: groups.others.filter(isChecked),
  }
}

async function historyOf(db: Database, { chartId }: StoredChart): Promise<ChartHistory> {
  const lists: CaptureList[] = await capturesOf(db, [chartId], '2000-01-01', '9999-01-01')
  return (await historiesOf(db, lists.map(newest))).get(chartId) ?? []
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
      where s.captures > ${horizonDays}
      order by s.captures desc, c.chart_id
      limit 1000`,
  )
  return found.map(({ chartId, country, kind, device, categoryId }) => ({
    chartId,
    country,
    name: `${country}, ${kind}, ${genreName(categoryId) ?? categoryId}, ${device}`,
  }))
}
