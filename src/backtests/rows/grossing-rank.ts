import { estimateFormulas } from '../../domain/estimates/series.ts'
import type { Backtest } from '../backtest.ts'
import { heldAgainstOwnSales, middleFactor } from './own-sales-said.ts'

/** How far from the truth is the middle of the range of revenue, of apps it was not fitted to? */
export const grossingRank: Backtest = {
  model: 'grossing-rank',
  formula: estimateFormulas['grossing-rank'],
  measure: 'median factor between the middle of the range and the revenue of a day of an own app left out',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the figures of the other own apps, whatever the rank',
  goal: null,
  data: 'imported sales reports with revenue of days on which the app stood in a stored grossing chart; each app is said by a law fitted to the others',
  run: (context) =>
    heldAgainstOwnSales(context, 'revenue', middleFactor, (apps, needed) => ({
      state: 'not-validated',
      why: `Revenue of ${apps} own apps that share a stored grossing chart with others is there; ${needed} are needed. What is published made the level and the slope, and nothing is left to hold them against.`,
    })),
}
