import { calibrationFormula } from '../../src/domain/estimates/calibration-fit.ts'
import { quantile, rankLawAt } from '../../src/domain/estimates/distributions.ts'
import { estimateEvidence } from '../../src/domain/estimates/evidence.ts'
import { ownApps } from '../../src/domain/estimates/own-sales.ts'
import { chartPriorOf } from '../../src/domain/estimates/priors.ts'
import { type PublishedLevel, publishedLevels } from '../../src/domain/estimates/published.ts'
import { ratingGrowthAround, ratingsPerDownload } from '../../src/domain/estimates/rating-growth.ts'
import { estimateFormulas } from '../../src/domain/estimates/series.ts'
import type { Backtest, BacktestContext, BacktestDetail, BacktestOutcome } from '../backtest.ts'
import { bootstrapInterval } from '../statistics.ts'
import {
  compareWithOwnSales,
  type EstimatedOwnDay,
  medianFactor,
  middleFactor,
  shareWithinFactor,
} from './own-sales-comparison.ts'

const fewestApps = 3

/** Measures the error of the middle of the range for downloads, on data not used for fitting. */
export const chartRankBacktest: Backtest = {
  model: 'chart-rank',
  formula: estimateFormulas['chart-rank'],
  measure: 'median factor between the middle of the range and a figure that nothing was fitted to',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the other figures, whatever the rank',
  goal: null,
  data: 'own sales of three apps or more, each said by a law fitted to the others; where there are fewer, the published numbers, each said by those of other sources',
  run: (context) => compareWithOwnSales(context, 'downloads', middleFactor, ofPublished),
}

interface SaidLevel {
  level: PublishedLevel
  said: number
  constant: number
}

/** Each published figure of a chart, estimated from what other sources published about it. */
function ofPublished(): BacktestOutcome {
  const free = publishedLevels.filter(({ kind }) => kind === 'top-free')
  const said = free.flatMap((level): SaidLevel[] => {
    const others = free.filter(
      ({ source, categoryId }) => source !== level.source && categoryId === level.categoryId,
    )
    const laws = chartPriorOf({ ...level, device: 'iphone' }, others)?.laws ?? []
    if (laws.length === 0) return []
    const mean = laws.reduce((sum, law) => sum + Math.log(rankLawAt(law, level.rank)), 0) / laws.length
    const figures = others.map(({ perDay }) => perDay).sort((one, other) => one - other)
    return [{ level, said: Math.exp(mean), constant: quantile(figures, 0.5) }]
  })
  const factor = (of: 'said' | 'constant') => (list: readonly SaidLevel[]) =>
    medianFactor(list.map((one) => [one[of], one.level.perDay]))
  const sources = [...Map.groupBy(said, ({ level }) => level.source).values()]
  return {
    state: 'measured',
    figure: factor('said')(said),
    interval: bootstrapInterval(sources, factor('said')),
    baselineFigure: factor('constant')(said),
    cases: said.length,
    leftOut: free.length - said.length,
    details: [
      {
        kind: 'table',
        title: 'Published numbers of the top free charts of the United States, said by other sources',
        columns: ['source', 'year', 'category', 'rank', 'published a day', 'said', 'median of the others'],
        rows: said.map(({ level, said, constant }) => [
          level.source,
          level.year,
          level.categoryId,
          level.rank,
          level.perDay,
          Number(said.toPrecision(3)),
          constant,
        ]),
      },
    ],
  }
}

/** Measures the error of the middle of the range for revenue, on apps not used for fitting. */
export const grossingRankBacktest: Backtest = {
  model: 'grossing-rank',
  formula: estimateFormulas['grossing-rank'],
  measure: 'median factor between the middle of the range and the revenue of a day of an own app left out',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the figures of the other own apps, whatever the rank',
  goal: null,
  data: 'imported sales reports with revenue of days on which the app stood in a stored grossing chart; each app is said by a law fitted to the others',
  run: (context) =>
    compareWithOwnSales(context, 'revenue', middleFactor, (apps, needed) => ({
      state: 'not-validated',
      why: `Revenue of ${apps} own apps that share a stored grossing chart with others is there; ${needed} are needed. What is published made the level and the slope, and nothing is left to hold them against.`,
    })),
}

/** A day of an own app of which the ratings gained are known. */
interface RatedDay {
  app: string
  value: number
  said: number
  constant: number
}

/** Measures the error of downloads estimated from gained ratings. Nothing is fitted: the rate is assumed. */
export const ratingGrowthBacktest: Backtest = {
  model: 'rating-growth',
  formula: estimateFormulas['rating-growth'],
  measure: 'median factor between the downloads of a day of an own app and what its ratings alone say',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the figures of the other own apps',
  goal: null,
  data: 'imported sales reports of days between two stored rating counts; nothing is fitted',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<BacktestOutcome> {
  const own = await ownApps(db)
  const apps: Omit<RatedDay, 'constant'>[][] = []
  for (const [done, app] of own.entries()) {
    signal.throwIfAborted()
    const { ratings } = await estimateEvidence(db, app, new Date(), false)
    const days = app.days.flatMap(({ day, downloads }) => {
      const growth = ratingGrowthAround(ratings, day)
      if (downloads === null || !growth || growth.gained < 0) return []
      const said = growth.gained / growth.days / ratingsPerDownload.mid
      return [{ app: `${app.storeId} ${app.country}`, value: downloads, said }]
    })
    if (days.length > 0) apps.push(days)
    progress(done + 1, own.length)
  }
  if (apps.length < fewestApps)
    return {
      state: 'not-validated',
      why: `Own sales and rating counts of the same days are there of ${apps.length} apps; ${fewestApps} are needed.`,
    }
  const groups = apps.map((days) => {
    const others = apps.filter((other) => other !== days).flat()
    const known = others.map(({ value }) => value).sort((one, other) => one - other)
    return days.map((day): RatedDay => ({ ...day, constant: quantile(known, 0.5) }))
  })
  const factor = (of: 'said' | 'constant') => (list: readonly RatedDay[]) =>
    medianFactor(list.map((day) => [day[of], day.value]))
  return {
    state: 'measured',
    figure: factor('said')(groups.flat()),
    interval: bootstrapInterval(groups, factor('said')),
    baselineFigure: factor('constant')(groups.flat()),
    cases: groups.flat().length,
    leftOut: 0,
    details: [
      {
        kind: 'table',
        title: 'By app',
        columns: ['app', 'days', 'median factor by ratings', 'by the other apps'],
        rows: groups
          .slice(0, 500)
          .map((days) => [days[0]?.app ?? '', days.length, factor('said')(days), factor('constant')(days)]),
      },
    ],
  }
}

/** Do eight in ten days of an app lie in the range that the other own apps give it? */
export const calibrationBacktest: Backtest = {
  model: 'calibration',
  formula: calibrationFormula,
  measure: 'distance from 80 % of the share of days of own apps, each left out, that lie within the range',
  better: 'lower',
  unit: 'points',
  baseline: 'from the tenth to the nine tenths of the figures of the other own apps, whatever the rank',
  goal: 4,
  data: 'imported sales reports of days on which the app stood in a stored chart; each app is said by a law fitted to the others',
  run: (context) => compareWithOwnSales(context, 'downloads', distance, tooFew, withinRange),
}

const distance = (of: 'law' | 'constant') => (days: readonly EstimatedOwnDay[]) =>
  Math.abs(100 * shareWithinFactor(days, of) - 80)

function tooFew(apps: number, needed: number): BacktestOutcome {
  return {
    state: 'not-validated',
    why: `Own sales of ${apps} apps that share a stored chart with others are there; ${needed} are needed.`,
  }
}

function withinRange(days: readonly EstimatedOwnDay[]): BacktestDetail[] {
  return [
    {
      kind: 'table',
      title: 'Within the range',
      columns: ['range', 'days', 'within, %'],
      rows: [
        ['of the law of the other apps', days.length, 100 * shareWithinFactor(days, 'law')],
        ['of the figures of the other apps', days.length, 100 * shareWithinFactor(days, 'constant')],
      ],
    },
  ]
}
