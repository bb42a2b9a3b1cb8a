import { calibrationFormula } from '../../domain/estimates/calibration-fit.ts'
import type { Backtest } from '../backtest.ts'
import type { Detail, Outcome } from '../outcome.ts'
import { heldAgainstOwnSales, heldShare, type SaidDay } from './own-sales-said.ts'

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
  run: (context) => heldAgainstOwnSales(context, 'downloads', distance, tooFew, withinRange),
}

const distance = (of: 'law' | 'constant') => (days: readonly SaidDay[]) =>
  Math.abs(100 * heldShare(days, of) - 80)

function tooFew(apps: number, needed: number): Outcome {
  return {
    state: 'not-validated',
    why: `Own sales of ${apps} apps that share a stored chart with others are there; ${needed} are needed.`,
  }
}

function withinRange(days: readonly SaidDay[]): Detail[] {
  return [
    {
      kind: 'table',
      title: 'Within the range',
      columns: ['range', 'days', 'within, %'],
      rows: [
        ['of the law of the other apps', days.length, 100 * heldShare(days, 'law')],
        ['of the figures of the other apps', days.length, 100 * heldShare(days, 'constant')],
      ],
    },
  ]
}
