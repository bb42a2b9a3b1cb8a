import { callsToActionFormula } from '../../domain/ad-analysis/local-analysis.ts'
import type { Backtest } from '../backtest.ts'
import { judgedReading, labelledData } from './creative-reading.ts'

/** Does an ad ask for what it is said to? */
export const callsToAction: Backtest = {
  model: 'calls-to-action',
  formula: callsToActionFormula,
  measure: 'share of read calls to action that people see in the text',
  better: 'higher',
  unit: '%',
  baseline: 'every text asks for a message, the most frequent request of the labelled ads',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'callToAction',
      isRight: ({ callToAction }, kind) => callToAction.includes(kind),
      wanted: ({ callToAction }) => ({ any: callToAction }),
      baseline: () => ['contact'],
    }),
}
