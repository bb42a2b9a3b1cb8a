import { outlierScoreFormula } from '../../domain/organic/scores.ts'
import { definition } from '../backtest.ts'

export const outlierScore = definition(
  'outlier-score',
  outlierScoreFormula,
  "Views over the author's median views: it counts what was observed, and says nothing of why or of what follows.",
)
