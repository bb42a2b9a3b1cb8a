import { difficultyFormula } from '../../src/domain/aso/scores/difficulty.ts'
import { ratingStrengthOn } from '../../src/domain/aso/scores/rating-scale.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { fewestDays, mostDays, type PageSpan, pageSpans } from '../page-spans.ts'
import { type JudgedPair, pairOrderOutcome } from '../statistics.ts'

const fewestTerms = 30
/** An app is small below this strength of its ratings: by the common scale, below 10,000. */
const smallBelow = 50

/** Do small apps enter the first places of easy terms more often than those of hard ones? */
export const difficultyBacktest: Backtest = {
  model: 'difficulty',
  formula: difficultyFormula,
  measure:
    'share of pairs of terms of a storefront in which the term whose first ten places more small apps had entered months later had the lower difficulty',
  better: 'higher',
  unit: '%',
  baseline: 'the median number of ratings of the page alone',
  goal: null,
  data: `terms with two stored pages ${fewestDays} to ${mostDays} days apart, and the ratings observed about both; nothing is fitted, all are for checking`,
  run,
}

async function run(context: BacktestContext): Promise<BacktestOutcome> {
  const spans = await pageSpans(context)
  const pairs = [...Map.groupBy(spans, ({ country }) => country).values()].flatMap(pairsOf)
  if (spans.length < fewestTerms || pairs.length === 0)
    return {
      state: 'not-validated',
      why: `Terms with two pages of known ratings ${fewestDays} to ${mostDays} days apart: ${spans.length}. ${fewestTerms} are needed, and some that more small apps entered than others of their storefront.`,
    }
  return pairOrderOutcome(pairs, 0)
}

/** Every two terms that a different number of small apps entered, the one with more first. */
function pairsOf(spans: readonly PageSpan[]): JudgedPair[] {
  const entered = spans.map((span) => ({ ...span, small: smallEntrants(span) }))
  return entered.flatMap((one) =>
    entered
      .filter((other) => one.small > other.small)
      .map((other) => ({
        score: [-one.difficulty.value, -other.difficulty.value] as const,
        baseline: [-one.medianRatings, -other.medianRatings] as const,
        group: one.term,
        says: `${one.term} (${one.small} entered), ${other.term} (${other.small}), ${one.country}`,
      })),
  )
}

function smallEntrants({ early, late, lateRatings, scale }: PageSpan): number {
  const strength = ratingStrengthOn(scale)
  return late.filter((storeId) => {
    const ratings = lateRatings.get(storeId ?? '')
    return !early.includes(storeId) && ratings !== undefined && strength(ratings) < smallBelow
  }).length
}
