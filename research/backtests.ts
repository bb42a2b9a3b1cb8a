import type { Model } from '../src/vocabulary/models.ts'
import type { Backtest } from './backtest.ts'
import { autocomplete } from './rows/autocomplete.ts'
import { brandTerm } from './rows/brand-term.ts'
import { callsToAction, hooks, offers } from './rows/creative-reading.ts'
import {
  deliveryDays,
  engagementRate,
  listingChanges,
  medianEngagementRate,
  medianViews,
  outlierScore,
  visibility,
} from './rows/definitions.ts'
import { difficulty } from './rows/difficulty.ts'
import { emerging } from './rows/emerging.ts'
import { languages } from './rows/languages.ts'
import { opportunity } from './rows/opportunity.ts'
import { calibration, chartRank, grossingRank, ratingGrowth } from './rows/own-sales.ts'
import { relatedTerms } from './rows/related-terms.ts'
import { relevance } from './rows/relevance.ts'
import { search } from './rows/search.ts'
import { similarity } from './rows/similarity.ts'
import { specificity } from './rows/specificity.ts'
import { suggestions } from './rows/suggestions.ts'
import { untappedTerms } from './rows/untapped-terms.ts'
import { volatility } from './rows/volatility.ts'

/** A row for everything that is shown with a formula. Leaving one out does not compile. */
export const backtests: Readonly<Record<Model, Backtest>> = {
  difficulty,
  'brand-term': brandTerm,
  autocomplete,
  opportunity,
  relevance,
  telling: specificity,
  visibility,
  volatility,
  suggestions,
  'untapped-terms': untappedTerms,
  'related-terms': relatedTerms,
  similarity,
  search,
  emerging,
  'listing-changes': listingChanges,
  'chart-rank': chartRank,
  'grossing-rank': grossingRank,
  'rating-growth': ratingGrowth,
  calibration,
  offers,
  hooks,
  'calls-to-action': callsToAction,
  languages,
  'delivery-days': deliveryDays,
  'median-views': medianViews,
  'engagement-rate': engagementRate,
  'median-engagement-rate': medianEngagementRate,
  'outlier-score': outlierScore,
}
