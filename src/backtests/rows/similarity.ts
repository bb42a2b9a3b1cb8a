import { similarityFormula } from '../../domain/catalogue/similar.ts'
import { unjudged } from '../backtest.ts'

export const similarity = unjudged(
  {
    model: 'similarity',
    formula: similarityFormula,
    measure: 'share of the first five similar apps that are rivals',
    better: 'higher',
    unit: '%',
    baseline: 'the apps of the same category with the most ratings',
    goal: 80,
    data: 'none yet',
  },
  'No benchmark of rivals is kept. Judged rivals of at least 50 apps, made before the formula is fitted, are needed.',
)
