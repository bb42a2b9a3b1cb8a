import { estimateFormulas } from '../../domain/estimates/series.ts'
import { unjudged } from '../backtest.ts'

export const ratingGrowth = unjudged(
  {
    model: 'rating-growth',
    formula: estimateFormulas['rating-growth'],
    measure: 'median factor between the middle of the range and own downloads',
    better: 'lower',
    unit: 'times',
    baseline: 'the median of all own figures, whatever the rank',
    goal: null,
    data: 'none yet',
  },
  'No own sales are stored. Own sales of at least three apps with counted ratings are needed.',
)
