import { sharedWords, termWords } from '../../../text/term-words.ts'
import { roundHalfUp } from '../scores/rounding.ts'

export const relatedTermsFormula = 'related-terms/2'

interface RelationReason {
  kind: 'shared-results' | 'shared-words'
  text: string
}

export interface RelatedTerm {
  term: string
  /** 0 to 100: how much of what the term's page and words tell is found with the other one. */
  strength: number
  /** Strongest first. */
  reasons: RelationReason[]
}

/** A term with the apps of the first places of its newest page, best first. */
export interface TermPage {
  term: string
  top: readonly string[]
}

/** What is known around a term. */
export interface Surroundings extends TermPage {
  country: string
  /** Pages of the storefront with enough apps, that of the term among them; counted to some bound. */
  pages: number
  /** How many of these pages hold an app of the term's page; counted to some bound. */
  pagesWith: ReadonlyMap<string, number>
  /** How many terms of the storefront with a page hold a word of the term (`termWords`); counted to some bound. */
  termsWith: ReadonlyMap<string, number>
  /** Pages of other terms. */
  others: readonly TermPage[]
}

/** Apps that the first places of a page must show: fewer tell little of what a term is about. */
export const fewestApps = 5
/** Pages of other terms with enough apps, before which nobody can say which apps stand on every page. */
export const fewestPages = 5
/** Places that are compared. */
const places = 10
/** Apps that two pages must share: one can stand on both by chance. */
export const fewestShared = 2
/** Terms named at most. */
const mostRelated = 25
/** What pages and words count for, of 1. */
const weights = { pages: 0.7, words: 0.3 } as const
/** Strength from which a term is called related: on the judged cases for fitting five in six are. The weights were chosen on them, too. */
const relatedFrom = 25
/** Pages on which rarity is taken to have been seen already, before any were counted; half of one held the app. */
const prior = { pages: 10, holding: 0.5 } as const

/** Whether a page shows enough apps to say what its term is about. */
export const isTelling = ({ top }: Pick<TermPage, 'top'>): boolean => top.length >= fewestApps

/**
 * Terms related to one, strongest first, at most 25. A page is compared by the apps of its first places, each of which
 * counts by its place on both pages and by its rarity: an app that stands on every page says little. Words count by their
 * rarity among terms. Words alone make no relation, and pages with fewer than five apps none either. Explained in
 * docs/scores.md.
 */
export function relatedTerms(around: Surroundings): RelatedTerm[] {
  if (!isTelling(around)) return []
  const pageNearness = nearnessOfPages(around)
  const wordNearness = nearnessOfWords(around)
  return around.others
    .flatMap((other) => {
      if (other.term === around.term || !isTelling(other)) return []
      const { shared, nearness } = pageNearness(other.top)
      if (shared < fewestShared) return []
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

/** How telling something is that so many of so many hold, as the logarithm of how seldom it is; never below 0. */
export const rarity = (holding: number, of: number): number =>
  Math.max(0, Math.log((Math.max(0, of) + prior.pages) / (Math.max(0, holding) + prior.holding)))

/** What a place counts for: the first most, the tenth less than a third of it, as in a discounted cumulative gain. */
const worthOfPlace = (index: number) => 1 / Math.log2(2 + index)

/**
 * The share of what the page tells that another one tells too, 0 to 1. Missing places count as not shared. Neither page is
 * counted when its apps are asked how common they are: what only these two share would seem more common than it is.
 */
function nearnessOfPages({ top, pages, pagesWith }: Surroundings) {
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
      const [app, telling] = [own[index], rarityOf[index] ?? mean]
      whole += worthOfPlace(index) * telling
      const place = app === undefined ? undefined : placeOf.get(app)
      if (place === undefined) continue
      shared++
      told += Math.sqrt(worthOfPlace(index) * worthOfPlace(place)) * telling
    }
    return { shared, nearness: whole > 0 ? told / whole : 0 }
  }
}

/** The shares of either term's words that the other one holds, as their geometric mean, 0 to 1. */
function nearnessOfWords({ term, country, pages, termsWith }: Surroundings) {
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

function reasonsOf({ term, country, top }: Surroundings, found: Found): RelationReason[] {
  const first = Math.min(top.length, places)
  const byPages = {
    kind: 'shared-results',
    text: `${found.shared} of the first ${first} apps stand among the first ${places} for it too.`,
  } as const
  if (found.byWords === 0) return [byPages]
  const words = sharedWords(term, found.term, country).map((word) => `"${word}"`)
  const byWords = { kind: 'shared-words', text: `Both hold ${words.join(', ')}.` } as const
  return found.byPages >= found.byWords ? [byPages, byWords] : [byWords, byPages]
}
