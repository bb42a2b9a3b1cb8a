import { estimateFormulas } from '../../domain/estimates/series.ts'
import { unjudged } from '../backtest.ts'

export const chartRank = unjudged(
  {
    model: 'chart-rank',
    formula: estimateFormulas['chart-rank'],
    measure: 'median factor between the middle of the range and the published figure',
    better: 'lower',
    unit: 'times',
    baseline: 'the median of all own figures, whatever the rank',
    goal: null,
    data: 'none yet',
  },
  'Published figures of days that the curve was not fitted to are too few. Own sales of at least three apps that stood in stored charts are needed.',
)
