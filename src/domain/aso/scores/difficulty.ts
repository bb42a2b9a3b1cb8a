import { formatNumber } from '../../../text/numbers.ts'
import { type StemmedMatch, stemmedMatchesOf } from '../../../text/stemmed-match.ts'
import { type BrandApp, brandOf } from './brand-term.ts'
import { formulaWithMarks, isOfFormula, marksOfFormula, roundHalfUp } from './formulas.ts'
import { commonScaleMark, type RatingScale, ratingStrengthOn } from './rating-scale.ts'

export const difficultyFormula = 'difficulty/5'

/** The fields of a place of a result page that are scored. */
export interface RatedPlace {
  storeId: string
  name: string
  /** Null is carried and absent, undefined is not carried. */
  ratingCount?: number | null | undefined
}

/** The fields of a result page that are scored. */
interface RatedPage {
  term: string
  country: string
  /** Best place first; null where Apple's entry could not be read. */
  places: readonly (RatedPlace | null)[]
  /** Places requested from Apple; null when unknown. */
  requested: number | null
  /** The stated number of results, where it differs from the length of the list; else null. */
  stated: number | null
}

interface DifficultyPart {
  name: 'rating-strength' | 'title-targeting' | 'entry-barrier'
  /** 0 to 100, 100 is hardest. */
  value: number
  /** Share in the total; the three add up to 1. */
  weight: number
  /** The evidence on the page, in plain words. */
  text: string
}

export interface Difficulty {
  /** 0 to 100 in whole numbers: 0 is easiest to enter, 100 hardest. */
  value: number
  /** With marks for missing inputs and for a brand. */
  formula: string
  /** Heaviest first. */
  parts: DifficultyPart[]
  /** Number of results that were read; places after the last one of a complete page are empty. */
  results: number
  /** The app that the term is the name of; null where it is none. */
  brand: BrandApp | null
}

/** Number of places read, and of those that must have a known number of ratings where the page may go on. */
const placesRead = 10
const fewestRated = 5

const weights = { 'rating-strength': 0.5, 'title-targeting': 0.3, 'entry-barrier': 0.2 } as const

/** How strongly a name with this match targets the term. */
const aim: Record<StemmedMatch, number> = {
  name: 1,
  beginning: 1,
  together: 1,
  'all-words': 0.75,
  'some-words': 0.25,
  none: 0,
}

/** The mark, in brackets, in the formula of a difficulty whose term is a brand. */
export const brandMark = 'brand term'

/**
 * How strong and how well targeted the first ten results are. A complete page with fewer has empty places, which nobody
 * holds. Our own formula, explained with worked examples in docs/scores.md: log rating counts and names that carry the term
 * were the features that held up in published models; stars, ages and publisher diversity did not.
 * @param scale of ratings of the page's storefront; null where it is not known
 * @returns undefined for a page with too little data: half of its results, or five where it may go on, must have a known
 * rating count. A page without any result is not measured: nobody holds the term, and nobody searches for it.
 */
export function difficultyOf(page: RatedPage, scale: RatingScale | null): Difficulty | undefined {
  const ratingStrength = ratingStrengthOn(scale)
  const shown = page.places.slice(0, placesRead)
  if (shown.length === 0) return undefined
  const read = shown.flatMap((place, index) => (place ? [{ place, at: index + 1 }] : []))
  const isComplete = page.requested !== null && page.places.length < page.requested && page.stated === null
  const empty = isComplete
    ? Array.from({ length: placesRead - shown.length }, (_, index) => ({
        at: shown.length + index + 1,
        value: 0,
      }))
    : []
  const rated = read.flatMap(({ place, at }) => {
    const { ratingCount } = place
    return ratingCount === undefined ? [] : [{ at, ratings: ratingCount ?? 0 }]
  })
  if (rated.length < Math.min(fewestRated, isComplete ? shown.length / 2 : fewestRated)) return undefined
  const matchOf = stemmedMatchesOf(page.term, page.country)
  const named = read.map(({ place, at }) => ({ place, at, match: matchOf(place.name) }))
  const holding = named.filter(({ match }) => aim[match] === 1).length
  const counts = [...rated.map(({ ratings }) => ratings), ...empty.map(() => 0)].sort(
    (one, other) => one - other,
  )
  const barrier = counts[Math.floor((counts.length - 1) / 4)] ?? 0
  const parts: DifficultyPart[] = [
    {
      name: 'rating-strength',
      value: placeMean([...rated.map(({ at, ratings }) => ({ at, value: ratingStrength(ratings) })), ...empty]),
      weight: weights['rating-strength'],
      text: `${ratingWords(rated, empty.length)} ${scaleWords(scale)}`.trim(),
    },
    {
      name: 'title-targeting',
      value: placeMean([...named.map(({ at, match }) => ({ at, value: 100 * aim[match] })), ...empty]),
      weight: weights['title-targeting'],
      text: `${holding} of the first ${read.length} app names contain all words of "${page.term}" side by side, in any order, singular or plural.`,
    },
    {
      name: 'entry-barrier',
      value: ratingStrength(barrier),
      weight: weights['entry-barrier'],
      text: `The weakest quarter of these ${counts.length} places has ${barrier === 0 ? 'no ratings' : `up to ${formatNumber(barrier)} ratings`}: they are the easiest to take.`,
    },
  ]
  const brand = brandOf(named.map(({ place, at, match }) => ({ ...place, at, match })))
  const places = shown.length + empty.length
  const marks = [
    brand ? brandMark : '',
    places < placesRead ? `${places} places` : '',
    scale ? '' : commonScaleMark,
  ].filter((mark) => mark !== '')
  return {
    value: roundHalfUp(parts.reduce((sum, part) => sum + part.weight * part.value, 0)),
    formula: formulaWithMarks(difficultyFormula, marks),
    parts: parts.map((part) => ({ ...part, value: roundHalfUp(part.value) })),
    results: read.length,
    brand,
  }
}

function ratingWords(rated: readonly { ratings: number }[], empty: number): string {
  const after = empty > 0 ? ` ${empty} of the first ${placesRead} places are empty.` : ''
  if (rated.length === 0) return after.trim()
  const counts = rated.map(({ ratings }) => ratings).sort((one, other) => one - other)
  return `Median of the first ${rated.length} apps with a known number of ratings: ${formatNumber(medianOf(counts))}.${after}`
}

function scaleWords(scale: RatingScale | null): string {
  if (!scale)
    return 'Too few apps of this storefront are collected to scale ratings by it, so a common scale is used.'
  const { apps, middle, high } = scale
  return `For comparison: of ${formatNumber(apps)} apps collected in this storefront, the median has about ${formatNumber(middle)} ratings, and the top 5% have more than ${formatNumber(high)}.`
}

/** Weighted mean: a place counts 1/log2(place + 1), the discount of the DCG measure. */
function placeMean(values: readonly { at: number; value: number }[]): number {
  const discount = (at: number) => 1 / Math.log2(at + 1)
  const total = values.reduce((sum, { at }) => sum + discount(at), 0)
  return total === 0 ? 0 : values.reduce((sum, { at, value }) => sum + discount(at) * value, 0) / total
}

/** @param counts in order, at least one */
function medianOf(counts: readonly number[]): number {
  const [lower = 0, upper = 0] = [counts[Math.floor((counts.length - 1) / 2)], counts[counts.length >> 1]]
  return Math.round((lower + upper) / 2)
}

export const opportunityFormula = 'opportunity/5'

/** The mark of an opportunity that no app is asked about, or one whose texts are not stored. */
const withoutRelevanceMark = 'without relevance'

/**
 * The share of the opportunity that remains for a term that is the name of one app: people who type it look for that app.
 */
const ofBrand = 0.2
/** The share that remains for a term that an app's texts say nothing of. */
const ofIrrelevant = 0.2
/** The least strength that counts: few beginnings of a term are typed, and what they do not bring up may be searched all the same. */
const leastAutocomplete = 5

/**
 * How promising a term is for nobody in particular, 0 to 100 in whole numbers: the geometric mean of autocomplete strength and ease
 * of entry; a brand keeps a fifth. Our own formula, explained in docs/scores.md.
 */
export function opportunityOf(autocomplete: number, difficulty: number, isBrand: boolean): number {
  const suggested = Math.max(autocomplete, leastAutocomplete)
  return roundHalfUp((isBrand ? ofBrand : 1) * Math.sqrt(suggested * (100 - difficulty)))
}

/**
 * How promising a term is for an app: of one that its texts say nothing of, a fifth is left.
 * @param relevance 0 to 100
 */
export const opportunityFor = (opportunity: number, relevance: number): number =>
  roundHalfUp(opportunity * (ofIrrelevant + ((1 - ofIrrelevant) * relevance) / 100))

/**
 * A stored opportunity for an app, or marked as being for none. One of an older formula stays as it is.
 * @param relevance null or undefined where it is not known
 */
export function opportunityWith<Value extends number | null>(
  stored: { opportunity: Value; opportunityFormula: string | null },
  relevance: number | null | undefined,
): { opportunity: Value | number; opportunityFormula: string | null } {
  const { opportunity, opportunityFormula: formula } = stored
  if (opportunity === null || !isOfFormula(formula, opportunityFormula)) return stored
  if (relevance !== null && relevance !== undefined)
    return { opportunity: opportunityFor(opportunity, relevance), opportunityFormula: formula }
  const marks = [...marksOfFormula(formula), withoutRelevanceMark]
  return { opportunity, opportunityFormula: formulaWithMarks(opportunityFormula, marks) }
}
