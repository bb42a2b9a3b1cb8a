import { suggestionsFormula } from '../../domain/aso/keywords/suggestions.ts'
import { unjudged } from '../backtest.ts'

export const suggestions = unjudged(
  {
    model: 'suggestions',
    formula: suggestionsFormula,
    measure: 'share of suggested terms that a professional would take',
    better: 'higher',
    unit: '%',
    baseline: 'the most frequent words of the listing',
    goal: 70,
    data: 'none yet',
  },
  'No list of suggestions has been judged. Judged lists of at least ten apps in three languages are needed.',
)
