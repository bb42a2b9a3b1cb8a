import type { Model } from '../src/vocabulary/models.ts'
import type { Backtest } from './backtest.ts'
import { autocompleteBacktest } from './rows/autocomplete.ts'
import { brandTermBacktest } from './rows/brand-term.ts'
import { callsToActionBacktest, hooksBacktest, offersBacktest } from './rows/creative-reading.ts'
import {
  deliveryDaysBacktest,
  engagementRateBacktest,
  listingChangesBacktest,
  medianEngagementRateBacktest,
  medianViewsBacktest,
  outlierScoreBacktest,
  visibilityBacktest,
} from './rows/definitions.ts'
import { difficultyBacktest } from './rows/difficulty.ts'
import { emergingBacktest } from './rows/emerging.ts'
import { languagesBacktest } from './rows/languages.ts'
import { opportunityBacktest } from './rows/opportunity.ts'
import {
  calibrationBacktest,
  chartRankBacktest,
  grossingRankBacktest,
  ratingGrowthBacktest,
} from './rows/own-sales.ts'
import { relatedTermsBacktest } from './rows/related-terms.ts'
import { relevanceBacktest } from './rows/relevance.ts'
import { searchBacktest } from './rows/search.ts'
import { similarityBacktest } from './rows/similarity.ts'
import { specificityBacktest } from './rows/specificity.ts'
import { suggestionsBacktest } from './rows/suggestions.ts'
import { untappedTermsBacktest } from './rows/untapped-terms.ts'
import { volatilityBacktest } from './rows/volatility.ts'

/** A row for everything that is shown with a formula. Leaving one out does not compile. */
export const backtests: Readonly<Record<Model, Backtest>> = {
  difficulty: difficultyBacktest,
  'brand-term': brandTermBacktest,
  autocomplete: autocompleteBacktest,
  opportunity: opportunityBacktest,
  relevance: relevanceBacktest,
  telling: specificityBacktest,
  visibility: visibilityBacktest,
  volatility: volatilityBacktest,
  suggestions: suggestionsBacktest,
  'untapped-terms': untappedTermsBacktest,
  'related-terms': relatedTermsBacktest,
  similarity: similarityBacktest,
  search: searchBacktest,
  emerging: emergingBacktest,
  'listing-changes': listingChangesBacktest,
  'chart-rank': chartRankBacktest,
  'grossing-rank': grossingRankBacktest,
  'rating-growth': ratingGrowthBacktest,
  calibration: calibrationBacktest,
  offers: offersBacktest,
  hooks: hooksBacktest,
  'calls-to-action': callsToActionBacktest,
  languages: languagesBacktest,
  'delivery-days': deliveryDaysBacktest,
  'median-views': medianViewsBacktest,
  'engagement-rate': engagementRateBacktest,
  'median-engagement-rate': medianEngagementRateBacktest,
  'outlier-score': outlierScoreBacktest,
}
