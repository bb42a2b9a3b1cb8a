import { listingChangesFormula } from '../../src/domain/aso/listing/listing-timeline.ts'
import { visibilityFormula } from '../../src/domain/aso/scores/visibility.ts'
import { medianEngagementRateFormula } from '../../src/domain/organic/post-summary.ts'
import {
  engagementRateFormula,
  medianViewsFormula,
  outlierScoreFormula,
} from '../../src/domain/organic/scores.ts'
import { deliveryDaysFormula } from '../../src/domain/paid-ads/ad.ts'
import { definitionBacktest, uncheckableBacktest } from '../backtest.ts'

export const deliveryDaysBacktest = definitionBacktest(
  'delivery-days',
  deliveryDaysFormula,
  'Days from the start to the end of delivery as the library states them, both counted: nothing is estimated.',
)

export const engagementRateBacktest = definitionBacktest(
  'engagement-rate',
  engagementRateFormula,
  'Reactions over views of one observation: it counts what was observed.',
)

export const listingChangesBacktest = uncheckableBacktest(
  {
    model: 'listing-changes',
    formula: listingChangesFormula,
    measure: 'share of reported changes of pictures that people see as changes',
    better: 'higher',
    unit: '%',
    baseline: 'every new address of a picture is a change',
    goal: null,
    data: 'none yet',
  },
  'No changes have been judged by looking at the pictures. At least 50 judged changes are needed.',
)

export const medianEngagementRateBacktest = definitionBacktest(
  'median-engagement-rate',
  medianEngagementRateFormula,
  'The median of the engagement rates of stored posts: it counts what was observed.',
)

export const medianViewsBacktest = definitionBacktest(
  'median-views',
  medianViewsFormula,
  "The median of the views of an author's stored posts: it counts what was observed.",
)

export const outlierScoreBacktest = definitionBacktest(
  'outlier-score',
  outlierScoreFormula,
  "Views over the author's median views: it counts what was observed, and says nothing of why or of what follows.",
)

export const visibilityBacktest = uncheckableBacktest(
  {
    model: 'visibility',
    formula: visibilityFormula,
    measure: 'rank correlation with the downloads from search that App Store Connect reports',
    better: 'higher',
    unit: '',
    baseline: 'the number of keywords with a rank',
    goal: null,
    data: 'none yet',
  },
  'Own sales do not say which downloads came from search. Reports of App Store Connect by source, of at least ten own apps or weeks, are needed.',
)
