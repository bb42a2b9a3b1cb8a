import type { Backtest } from './backtest.ts'
import type { Model } from './models.ts'
import { autocomplete } from './rows/autocomplete.ts'
import { brandTerm } from './rows/brand-term.ts'
import { calibration } from './rows/calibration.ts'
import { callsToAction } from './rows/calls-to-action.ts'
import { chartRank } from './rows/chart-rank.ts'
import { deliveryDays } from './rows/delivery-days.ts'
import { difficulty } from './rows/difficulty.ts'
import { emerging } from './rows/emerging.ts'
import { engagementRate } from './rows/engagement-rate.ts'
import { grossingRank } from './rows/grossing-rank.ts'
import { hooks } from './rows/hooks.ts'
import { languages } from './rows/languages.ts'
import { listingChanges } from './rows/listing-changes.ts'
import { medianEngagementRate } from './rows/median-engagement-rate.ts'
import { medianViews } from './rows/median-views.ts'
import { offers } from './rows/offers.ts'
import { opportunity } from './rows/opportunity.ts'
import { outlierScore } from './rows/outlier-score.ts'
import { ratingGrowth } from './rows/rating-growth.ts'
import { relatedTerms } from './rows/related-terms.ts'
import { relevance } from './rows/relevance.ts'
import { search } from './rows/search.ts'
import { similarity } from './rows/similarity.ts'
import { suggestions } from './rows/suggestions.ts'
import { telling } from './rows/telling.ts'
import { untappedTerms } from './rows/untapped-terms.ts'
import { visibility } from './rows/visibility.ts'
import { volatility } from './rows/volatility.ts'

/** A row for everything that is shown with a formula. Leaving one out does not compile. */
export const backtests: Readonly<Record<Model, Backtest>> = {
  difficulty,
  'brand-term': brandTerm,
  autocomplete,
  opportunity,
  relevance,
  telling,
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
