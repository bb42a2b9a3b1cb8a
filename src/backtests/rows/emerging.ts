import { emergingFormula } from '../../domain/emerging/score.ts'
import { unjudged } from '../backtest.ts'

export const emerging = unjudged(
  {
    model: 'emerging',
    formula: emergingFormula,
    measure: 'share of flagged apps with a better rank five days later',
    better: 'higher',
    unit: '%',
    baseline: 'new entrants of the same charts',
    goal: null,
    data: 'none yet',
  },
  'Flagged apps have not been held against what became of them. Stored charts of at least 14 days are needed.',
)
