import { type NameMatch, nameMatch } from '../../../text/name-match.ts'
import { roundHalfUp } from './rounding.ts'

export const difficultyFormula = 'difficulty/1'

/** What is read of a place of a result page. */
interface RatedPlace {
  name: string
  /** Null is carried and absent, undefined is not carried. */
  ratingCount?: number | null | undefined
}

interface DifficultyPart {
  name: 'rating-strength' | 'title-targeting' | 'entry-barrier'
  /** 0 to 100, 100 is hardest. */
  value: number
  /** Share in the whole; the three together are 1. */
  weight: number
  /** What was read off the page. */
  text: string
}

export interface Difficulty {
  /** 0 to 100 in whole numbers: 0 is easiest to enter, 100 hardest. */
  value: number
  /** Heaviest first. */
  parts: DifficultyPart[]
  /** Places of the page that were read. */
  results: number
}

/** Places read, and how many of them must have a known number of ratings. */
const placesRead = 10
const fewestRated = 5

const weights = { 'rating-strength': 0.5, 'title-targeting': 0.3, 'entry-barrier': 0.2 } as const

/** How much a name that holds the term in this way is aimed at it. */
const aim: Record<NameMatch, number> = {
  exact: 1,
  phrase: 1,
  'all-words': 0.75,
  'some-words': 0.25,
  none: 0,
}

/**
 * How strong and how well aimed the first ten results are. Our own formula, explained with worked examples in
 * docs/scores.md: log rating counts and names that carry the term were the features that held up in the models
 * others published; stars, ages and publisher diversity did not.
 * @returns undefined for a page too thin to carry a number: fewer than five of the first ten with a known rating count
 */
export function difficultyOf(term: string, page: readonly (RatedPlace | null)[]): Difficulty | undefined {
  const read = page.slice(0, placesRead).flatMap((place, index) => (place ? [{ place, at: index + 1 }] : []))
  const rated = read.flatMap(({ place, at }) => {
    const { ratingCount } = place
    return ratingCount === undefined ? [] : [{ at, ratings: ratingCount ?? 0 }]
  })
  if (rated.length < fewestRated) return undefined
  const aimed = read.map(({ place, at }) => ({ at, match: nameMatch(term, place.name) }))
  const holding = aimed.filter(({ match }) => match === 'exact' || match === 'phrase').length
  const counts = rated.map(({ ratings }) => ratings).sort((one, other) => one - other)
  const barrier = counts[Math.floor((counts.length - 1) / 4)] ?? 0
  const parts: DifficultyPart[] = [
    {
      name: 'rating-strength',
      value: placeMean(rated.map(({ at, ratings }) => ({ at, value: ratingStrength(ratings) }))),
      weight: weights['rating-strength'],
      text: `The first ${read.length} apps have ${inFigures(medianOf(counts))} ratings in the middle.`,
    },
    {
      name: 'title-targeting',
      value: placeMean(aimed.map(({ at, match }) => ({ at, value: 100 * aim[match] }))),
      weight: weights['title-targeting'],
      text: `${holding} of the first ${read.length} names hold "${term}".`,
    },
    {
      name: 'entry-barrier',
      value: ratingStrength(barrier),
      weight: weights['entry-barrier'],
      text: `The weaker ones among them have about ${inFigures(barrier)} ratings.`,
    },
  ]
  const value = parts.reduce((sum, part) => sum + part.weight * part.value, 0)
  return {
    value: roundHalfUp(value),
    parts: parts.map((part) => ({ ...part, value: roundHalfUp(part.value) })),
    results: read.length,
  }
}

/** 0 up to about a hundred ratings, 100 from a million; each tenfold between them is 25. */
export function ratingStrength(ratings: number): number {
  return Math.min(100, Math.max(0, 25 * (Math.log10(ratings + 1) - 2)))
}

/** Mean in which higher places count more: a place counts 1/log2(place + 1), the discount of the DCG measure. */
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

const inFigures = (count: number) => count.toLocaleString('en')
