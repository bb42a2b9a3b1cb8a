import { hooksFormula } from '../../domain/ad-analysis/local-analysis.ts'
import { unjudged } from '../backtest.ts'

export const hooks = unjudged(
  {
    model: 'hooks',
    formula: hooksFormula,
    measure: 'share of read hooks that people would name',
    better: 'higher',
    unit: '%',
    baseline: 'the first sentence',
    goal: 90,
    data: 'none yet',
  },
  'No labelled ads are kept. At least 100 in eight languages are needed.',
)
