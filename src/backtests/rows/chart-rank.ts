import { lawAt, quantile } from '../../domain/estimates/distributions.ts'
import { priorOf } from '../../domain/estimates/priors.ts'
import { type PublishedLevel, publishedLevels } from '../../domain/estimates/published.ts'
import { estimateFormulas } from '../../domain/estimates/series.ts'
import type { Backtest } from '../backtest.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { heldAgainstOwnSales, medianFactor, middleFactor } from './own-sales-said.ts'

/** How far from the truth is the middle of the range, of what it was not fitted to? */
export const chartRank: Backtest = {
  model: 'chart-rank',
  formula: estimateFormulas['chart-rank'],
  measure: 'median factor between the middle of the range and a figure that nothing was fitted to',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the other figures, whatever the rank',
  goal: null,
  data: 'own sales of three apps or more, each said by a law fitted to the others; where there are fewer, the published numbers, each said by those of other sources',
  run: (context) => heldAgainstOwnSales(context, 'downloads', middleFactor, ofPublished),
}

interface SaidLevel {
  level: PublishedLevel
  said: number
  constant: number
}

/** Every published number of a chart, said by what other sources published of the chart. */
function ofPublished(): Outcome {
  const free = publishedLevels.filter(({ kind }) => kind === 'top-free')
  const said = free.flatMap((level): SaidLevel[] => {
    const others = free.filter(
      ({ source, categoryId }) => source !== level.source && categoryId === level.categoryId,
    )
    const laws = priorOf({ ...level, device: 'iphone' }, others)?.laws ?? []
    if (laws.length === 0) return []
    const mean = laws.reduce((sum, law) => sum + Math.log(lawAt(law, level.rank)), 0) / laws.length
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
