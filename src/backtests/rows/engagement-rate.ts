import { engagementRateFormula } from '../../domain/organic/scores.ts'
import { definition } from '../backtest.ts'

export const engagementRate = definition(
  'engagement-rate',
  engagementRateFormula,
  'Reactions over views of one observation: it counts what was observed.',
)
