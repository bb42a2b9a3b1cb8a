import { medianViewsFormula } from '../../domain/organic/scores.ts'
import { definition } from '../backtest.ts'

export const medianViews = definition(
  'median-views',
  medianViewsFormula,
  "The median of the views of an author's stored posts: it counts what was observed.",
)
