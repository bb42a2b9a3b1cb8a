import { relevanceFormula } from '../../domain/aso/scores/relevance.ts'
import { unjudged } from '../backtest.ts'

export const relevance = unjudged(
  {
    model: 'relevance',
    formula: relevanceFormula,
    measure: 'share of pairs of terms in which the one the app ranks higher for is the more relevant',
    better: 'higher',
    unit: '%',
    baseline: 'the term that stands in the name',
    goal: null,
    data: 'none yet',
  },
  'Where an app ranks says what Apple finds relevant, not what the app is about. Terms of at least 20 apps, judged relevant or not by people, are needed.',
)
