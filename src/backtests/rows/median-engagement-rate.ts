import { medianEngagementRateFormula } from '../../domain/organic/post-summary.ts'
import { definition } from '../backtest.ts'

export const medianEngagementRate = definition(
  'median-engagement-rate',
  medianEngagementRateFormula,
  'The median of the engagement rates of stored posts: it counts what was observed.',
)
