import { estimateFormulas } from '../../domain/estimates/series.ts'
import { unjudged } from '../backtest.ts'

export const grossingRank = unjudged(
  {
    model: 'grossing-rank',
    formula: estimateFormulas['grossing-rank'],
    measure: 'median factor between the middle of the range and own revenue',
    better: 'lower',
    unit: 'times',
    baseline: 'the median of all own figures, whatever the rank',
    goal: null,
    data: 'none yet',
  },
  'No own sales are stored. Own sales of at least three apps that stood in stored grossing charts are needed.',
)
