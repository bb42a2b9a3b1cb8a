import { languagesFormula } from '../../domain/creatives/detected-language.ts'
import { unjudged } from '../backtest.ts'

export const languages = unjudged(
  {
    model: 'languages',
    formula: languagesFormula,
    measure: 'share of short posts whose language is told, at a precision of 98 %',
    better: 'higher',
    unit: '%',
    baseline: 'English, for every post',
    goal: 70,
    data: 'none yet',
  },
  'No posts with judged languages are kept. At least 100 are needed.',
)
