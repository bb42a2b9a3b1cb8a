import { visibilityFormula } from '../../domain/aso/scores/visibility.ts'
import { unjudged } from '../backtest.ts'

export const visibility = unjudged(
  {
    model: 'visibility',
    formula: visibilityFormula,
    measure: 'rank correlation with the downloads from search that App Store Connect reports',
    better: 'higher',
    unit: '',
    baseline: 'the number of keywords with a rank',
    goal: null,
    data: 'none yet',
  },
  'Own sales do not say which downloads came from search. Reports of App Store Connect by source, of at least ten own apps or weeks, are needed.',
)
