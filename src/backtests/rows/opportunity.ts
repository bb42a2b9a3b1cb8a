import { opportunityFormula } from '../../domain/aso/scores/opportunity.ts'
import { unjudged } from '../backtest.ts'

export const opportunity = unjudged(
  {
    model: 'opportunity',
    formula: opportunityFormula,
    measure:
      'share of terms of high opportunity for which an app of few ratings ranks among the first ten three months later',
    better: 'higher',
    unit: '%',
    baseline: 'terms in an order of chance',
    goal: null,
    data: 'none yet',
  },
  'It rests on difficulty and autocomplete strength, of which neither is validated, and no store holds own apps that tried terms. Tracked keywords of own apps before and after a change of the listing are needed.',
)
