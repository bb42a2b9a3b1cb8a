import { difficultyFormula } from '../../domain/aso/scores/difficulty.ts'
import { unjudged } from '../backtest.ts'

export const difficulty = unjudged(
  {
    model: 'difficulty',
    formula: difficultyFormula,
    measure:
      'share of pairs of terms in which the term that newer and smaller apps entered has the lower difficulty',
    better: 'higher',
    unit: '%',
    baseline: 'the median number of ratings of the page alone',
    goal: null,
    data: 'none yet',
  },
  'Nobody has recorded which terms apps of few ratings came to rank for. Result pages of at least 30 terms over three months are needed.',
)
