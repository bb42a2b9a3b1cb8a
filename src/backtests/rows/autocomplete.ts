import { autocompleteFormula } from '../../domain/aso/scores/autocomplete.ts'
import { unjudged } from '../backtest.ts'

export const autocomplete = unjudged(
  {
    model: 'autocomplete',
    formula: autocompleteFormula,
    measure: 'rank correlation with how often terms are searched',
    better: 'higher',
    unit: '',
    baseline: 'the length of the term: short ones are searched more',
    goal: null,
    data: 'none yet',
  },
  'Apple tells nobody how often people search. Search terms of own apps in Apple Ads, with impressions, of at least 50 terms are needed.',
)
