import { offersFormula } from '../../domain/ad-analysis/offer.ts'
import type { Backtest } from '../backtest.ts'
import { judgedReading, labelledData } from './creative-reading.ts'

/** Is what an ad is said to offer what people read in it? */
export const offers: Backtest = {
  model: 'offers',
  formula: offersFormula,
  measure: 'share of read offers that people see in the text',
  better: 'higher',
  unit: '%',
  baseline: 'every text with a price, a percentage or the word for free makes an offer',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'offer',
      isRight: ({ offers: labels }, kind) => labels.includes(kind),
      wanted: ({ offers: labels }) => ({ all: labels }),
      baseline: (words) => signs.filter(([, sign]) => sign.test(words)).map(([kind]) => kind),
    }),
}

const signs: readonly (readonly [string, RegExp])[] = [
  ['free', /free|gratis|grátis|kostenlos|gratuit|бесплатн|無料|무료|免费/iu],
  ['discount', /\d\s?%/u],
  ['price', /[$€£¥₩₽]\s?\d|\d\s?[$€£¥₩₽円원]/u],
]
