import { sharedWords, termWords } from '../../../text/stemmed-match.ts'
import { roundHalfUp } from '../scores/formulas.ts'

export const relatedTermsFormula = 'related-terms/2'

interface RelationReason {
  kind: 'shared-results' | 'shared-words'
  text: string
}

export interface RelatedTerm {
  term: string
  /** 0 to 100: the similarity of the pages and words of both terms. */
  strength: number
  /** Strongest first. */
  reasons: RelationReason[]
}

/** A term with the apps of the first places of its newest page, best first. */
export interface TermPage {
  term: string
  top: readonly string[]
}

/** A term with the stored data around it. */
export interface RelatedTermInputs extends TermPage {
  country: string
  /** Pages of the storefront with enough apps, including the term's; counted up to a limit. */
  pages: number
  /** Number of these pages that hold an app of the term's page; counted up to a limit. */
  pagesWith: ReadonlyMap<string, number>
  /** Number of terms of the storefront with a page that hold a word of the term (`termWords`); counted up to a limit. */
  termsWith: ReadonlyMap<string, number>
  /** Pages of other terms. */
  others: readonly TermPage[]
}

/** Minimum apps among the first places of a page: fewer say too little about the term. */
export const minAppsOfPage = 5
/** Minimum pages of other terms with enough apps: with fewer, apps that are on every page cannot be recognised. */
export const minComparablePages = 5
/** Places that are compared. */
const places = 10
/** Minimum apps that two pages share: one can be on both by chance. */
export const minSharedApps = 2
/** Maximum related terms. */
const mostRelated = 25
/** Weights of pages and words; their sum is 1. */
const weights = { pages: 0.7, words: 0.3 } as const
/**
 * Minimum strength of a related term: five in six of those found in the judged cases for fitting are right. The weights were
 * chosen on them, too.
 */
const relatedFrom = 25
/** Prior of the rarity: pages taken as seen before any were counted, and how many of them held the app. */
const prior = { pages: 10, holding: 0.5 } as const

/** Whether a page shows enough apps to characterise its term. */
export const isComparablePage = ({ top }: Pick<TermPage, 'top'>): boolean => top.length >= minAppsOfPage

/**
 * Terms related to one, strongest first, at most 25. Pages are compared by the apps of their first places, each weighted by
 * its place on both pages and by its rarity: an app that is on every page says little. Words are weighted by their rarity
 * among terms. Shared words alone are not enough, and pages with fewer than five apps are not compared. Explained in
 * docs/scores.md.
 */
export function relatedTerms(around: RelatedTermInputs): RelatedTerm[] {
  if (!isComparablePage(around)) return []
  const pageNearness = nearnessOfPages(around)
  const wordNearness = nearnessOfWords(around)
  return around.others
    .flatMap((other) => {
      if (other.term === around.term || !isComparablePage(other)) return []
      const { shared, nearness } = pageNearness(other.top)
      if (shared < minSharedApps) return []
      const byPages = 100 * weights.pages * nearness
      const byWords = 100 * weights.words * wordNearness(other.term)
      const strength = byPages + byWords
      return strength < relatedFrom ? [] : [{ term: other.term, strength, byPages, byWords, shared }]
    })
    .sort((one, other) => other.strength - one.strength || (one.term < other.term ? -1 : 1))
    .slice(0, mostRelated)
    .map((found) => ({
      term: found.term,
      strength: roundHalfUp(found.strength),
      reasons: reasonsOf(around, found),
    }))
}

/** The rarity of an app or word that `holding` of `of` pages or terms have, as a logarithm; never below 0. */
export const rarity = (holding: number, of: number): number =>
  Math.max(0, Math.log((Math.max(0, of) + prior.pages) / (Math.max(0, holding) + prior.holding)))

/**
 * The weight of a place: highest for the first, less than a third of it for the tenth, as in a discounted cumulative gain.
 */
const worthOfPlace = (index: number) => 1 / Math.log2(2 + index)

/**
 * The similarity of another page with the term's, 0 to 1, by place and rarity of shared apps. Missing places count as not
 * shared. Neither page counts for the rarity of its apps: apps that only these two share would seem more common than they
 * are.
 */
function nearnessOfPages({ top, pages, pagesWith }: RelatedTermInputs) {
  const own = top.slice(0, places)
  return (otherTop: readonly string[]) => {
    const placeOf = new Map(otherTop.slice(0, places).map((app, index) => [app, index]))
    const rarityOf = own.map((app) => {
      const both = placeOf.has(app) ? 2 : 1
      return rarity((pagesWith.get(app) ?? both) - both, pages - 2)
    })
    const mean = rarityOf.reduce((sum, one) => sum + one, 0) / own.length
    let [shared, told, whole] = [0, 0, 0]
    for (let index = 0; index < places; index++) {
      const [app, rareness] = [own[index], rarityOf[index] ?? mean]
      whole += worthOfPlace(index) * rareness
      const place = app === undefined ? undefined : placeOf.get(app)
      if (place === undefined) continue
      shared++
      told += Math.sqrt(worthOfPlace(index) * worthOfPlace(place)) * rareness
    }
    return { shared, nearness: whole > 0 ? told / whole : 0 }
  }
}

/** The geometric mean of the two shares of words that the terms have in common, 0 to 1. */
function nearnessOfWords({ term, country, pages, termsWith }: RelatedTermInputs) {
  const own = [...termWords(term, country)].map((word) => ({
    word,
    rarity: rarity((termsWith.get(word) ?? 1) - 1, pages - 1),
  }))
  const sumOf = (list: typeof own) => list.reduce((sum, one) => sum + one.rarity, 0)
  const whole = sumOf(own)
  return (other: string) => {
    const held = termWords(other, country)
    const shared = own.filter(({ word }) => held.has(word))
    return whole > 0 && held.size > 0 ? Math.sqrt((sumOf(shared) / whole) * (shared.length / held.size)) : 0
  }
}

interface Found {
  term: string
  byPages: number
  byWords: number
  shared: number
}

function reasonsOf({ term, country, top }: RelatedTermInputs, found: Found): RelationReason[] {
  const first = Math.min(top.length, places)
  const byPages = {
    kind: 'shared-results',
    text: `${found.shared} of the top ${first} apps also rank in the top ${places} for it.`,
  } as const
  if (found.byWords === 0) return [byPages]
  const words = sharedWords(term, found.term, country).map((word) => `"${word}"`)
  const byWords = { kind: 'shared-words', text: `Same words: ${words.join(', ')}.` } as const
  return found.byPages >= found.byWords ? [byPages, byWords] : [byWords, byPages]
}
