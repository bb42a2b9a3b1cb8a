import { searchFormula } from '../../domain/catalogue/relevance.ts'
import { unjudged } from '../backtest.ts'

export const search = unjudged(
  {
    model: 'search',
    formula: searchFormula,
    measure: 'share of questions whose expected app is among the first three',
    better: 'higher',
    unit: '%',
    baseline: 'apps whose name holds the text, most ratings first',
    goal: 95,
    data: 'none yet',
  },
  'No questions with expected answers are kept. At least 60 are needed.',
)
