import { hooksFormula } from '../../domain/ad-analysis/hook.ts'
import type { Backtest } from '../backtest.ts'
import { judgedReading, labelledData } from './creative-reading.ts'

/** Does an ad open in the way it is said to? */
export const hooks: Backtest = {
  model: 'hooks',
  formula: hooksFormula,
  measure: 'share of ways of opening, as read, that people would name',
  better: 'higher',
  unit: '%',
  baseline: 'every text opens with a statement, the most frequent way',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'hook',
      isRight: ({ hook }, kind) => hook.includes(kind),
      wanted: ({ hook }) => ({ any: hook }),
      baseline: () => ['statement'],
    }),
}
