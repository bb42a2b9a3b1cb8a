import { estimateFormulas } from '../../domain/estimates/series.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { detailsOf, factorOf, type SaidDay, saidDays } from './own-sales-said.ts'

const fewestApps = 3

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
  run,
}

async function run(context: BacktestContext): Promise<Outcome> {
  const days = await saidDays(context, 'revenue')
  const apps = [...Map.groupBy(days, ({ app }) => app).values()]
  if (apps.length < fewestApps)
    return {
      state: 'not-validated',
      why: `Revenue of ${apps.length} own apps that share a stored grossing chart with others is there; ${fewestApps} are needed. What is published of it are two numbers of one source.`,
    }
  const byLaw = (list: readonly SaidDay[]) => factorOf(list, ({ law }) => law.mid)
  return {
    state: 'measured',
    figure: byLaw(days),
    interval: bootstrapInterval(apps, byLaw),
    baselineFigure: factorOf(days, ({ constant }) => constant.mid),
    cases: days.length,
    leftOut: 0,
    details: detailsOf(days),
  }
}
