import { tellingFormula } from '../../domain/aso/scores/telling.ts'
import { unjudged } from '../backtest.ts'

export const telling = unjudged(
  {
    model: 'telling',
    formula: tellingFormula,
    measure: 'share of pairs of words in which the one people call more telling has the higher number',
    better: 'higher',
    unit: '%',
    baseline: 'the longer word',
    goal: null,
    data: 'none yet',
  },
  'Nobody has judged pairs of words. At least 100 judged pairs in three languages are needed.',
)
