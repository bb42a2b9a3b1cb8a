import { offersFormula } from '../../domain/ad-analysis/offer.ts'
import { unjudged } from '../backtest.ts'

export const offers = unjudged(
  {
    model: 'offers',
    formula: offersFormula,
    measure: 'share of read offers that people see in the text',
    better: 'higher',
    unit: '%',
    baseline: 'every text with a price, a percentage or the word for free makes an offer',
    goal: 90,
    data: 'none yet',
  },
  'No labelled ads are kept. At least 100 in eight languages are needed.',
)
