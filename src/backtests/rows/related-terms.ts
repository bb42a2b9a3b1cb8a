import { relatedTermsFormula } from '../../domain/aso/keywords/related-terms.ts'
import { unjudged } from '../backtest.ts'

export const relatedTerms = unjudged(
  {
    model: 'related-terms',
    formula: relatedTermsFormula,
    measure: 'share of related terms that a professional would call related',
    better: 'higher',
    unit: '%',
    baseline: 'terms that share a word',
    goal: null,
    data: 'none yet',
  },
  'No list of related terms has been judged. Judged lists of at least 20 terms are needed.',
)
