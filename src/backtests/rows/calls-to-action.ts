import { callsToActionFormula } from '../../domain/ad-analysis/local-analysis.ts'
import { unjudged } from '../backtest.ts'

export const callsToAction = unjudged(
  {
    model: 'calls-to-action',
    formula: callsToActionFormula,
    measure: 'share of read calls to action that people see in the text',
    better: 'higher',
    unit: '%',
    baseline: 'the last sentence',
    goal: 90,
    data: 'none yet',
  },
  'No labelled ads are kept. At least 100 in eight languages are needed.',
)
