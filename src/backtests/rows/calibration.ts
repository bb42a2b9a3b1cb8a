import { calibrationFormula } from '../../domain/estimates/calibration-fit.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { detailsOf, heldShare, type SaidDay, saidDays } from './own-sales-said.ts'

/** Fewer apps are no sample of apps. */
const fewestApps = 3

/** Do eight in ten days of an app lie in the range that the other own apps give it? */
export const calibration: Backtest = {
  model: 'calibration',
  formula: calibrationFormula,
  measure: 'distance from 80 % of the share of days of own apps, each left out, that lie within the range',
  better: 'lower',
  unit: 'points',
  baseline: 'from the tenth to the nine tenths of the figures of the other own apps, whatever the rank',
  goal: 4,
  data: 'imported sales reports of days on which the app stood in a stored chart; each app is said by a law fitted to the others',
  run,
}

async function run(context: BacktestContext): Promise<Outcome> {
  const days = await saidDays(context, 'downloads')
  const apps = [...Map.groupBy(days, ({ app }) => app).values()]
  if (apps.length < fewestApps)
    return {
      state: 'not-validated',
      why: `Own sales of ${apps.length} apps that share a stored chart with others are there; ${fewestApps} are needed.`,
    }
  const distance = (of: 'law' | 'constant') => (list: readonly SaidDay[]) =>
    Math.abs(100 * heldShare(list, of) - 80)
  return {
    state: 'measured',
    figure: distance('law')(days),
    interval: bootstrapInterval(apps, distance('law')),
    baselineFigure: distance('constant')(days),
    cases: days.length,
    leftOut: 0,
    details: [
      {
        kind: 'table',
        title: 'Within the range',
        columns: ['range', 'days', 'within, %'],
        rows: [
          ['of the law of the other apps', days.length, 100 * heldShare(days, 'law')],
          ['of the figures of the other apps', days.length, 100 * heldShare(days, 'constant')],
        ],
      },
      ...detailsOf(days),
    ],
  }
}
