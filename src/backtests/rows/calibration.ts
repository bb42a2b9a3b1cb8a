import { calibrationFormula } from '../../domain/estimates/calibration-fit.ts'
import { unjudged } from '../backtest.ts'

export const calibration = unjudged(
  {
    model: 'calibration',
    formula: calibrationFormula,
    measure: 'share of days of apps left out whose figure lies within its 80 % range',
    better: 'higher',
    unit: '%',
    baseline: 'the published curves, without calibration',
    goal: null,
    data: 'none yet',
  },
  'No own sales of several apps are stored. Days of at least three own apps that stood in stored charts are needed.',
)
