import { lightStem } from '../../text/stems.ts'
import { type ListingTopics, searchTermsOfWord } from './listing-topics.ts'
import type { WordCounts } from './word-weights.ts'

/** The topics of another app. */
export interface AppTopics {
  storeId: string
  topics: ListingTopics
}

/** Another app with its text similarity: shared words, weighted by specificity. */
export interface TextNeighbour {
  storeId: string
  /** 0 to 1. */
  strength: number
  /** The shared words that weigh most, heaviest first, as the app's own listing writes them. */
  shared: string[]
}

/** A word that so few listings hold is a name, and says little of what an app is for. */
const rareListings = 8
/** Limits of listings that hold a word: a twentieth of a small catalogue, 2,000 of a large one. */
const rareOfFew = 20
const rareOfMany = 2_000
/** Shared words that are named. */
const named = 5
/** Neighbours that share less are none. */
const weakest = 0.05

/**
 * What each word of a listing tells: its inverse document frequency (Salton and Buckley 1988), less for words that hardly
 * anybody else holds. The listings counted are those of its language: as many as hold the commonest of its words, which a
 * long text is sure to have.
 */
export function wordWeightsOf(
  topics: ListingTopics,
  counts: WordCounts,
  listings: number,
): ReadonlyMap<string, number> {
  const rare = Math.max(Math.min(rareListings, listings / rareOfFew), listings / rareOfMany)
  const held = (word: string) =>
    Math.min(...searchTermsOfWord(word).map((term) => counts.holding.get(term) ?? 1), listings)
  return new Map(
    [...topics.said].map(([stem, { shown }]) => {
      const holding = held(shown)
      return [stem, Math.max(0, Math.log((listings + 1) / (holding + 0.5))) * (holding / (holding + rare))]
    }),
  )
}

/** Apps with similar topics, most similar first; without those that share no specific word. */
export function textNeighbours(
  own: ListingTopics,
  weights: ReadonlyMap<string, number>,
  others: readonly AppTopics[],
): TextNeighbour[] {
  const weight = (stem: string) => weights.get(stem) ?? 0
  const usual = mean([...own.said.keys()].map(weight).filter((one) => one > 0))
  const otherWeight = (stem: string) => (weights.has(stem) ? weight(stem) : usual)
  return others
    .map(({ storeId, topics }) => {
      const names = cosine(own, topics, weight, otherWeight, true)
      const texts =
        own.described && topics.described
          ? cosine(own, topics, weight, otherWeight, false)
          : Math.max(namedIn(own, topics, weight), namedIn(topics, own, otherWeight))
      const shared = sharedBy(own, topics, weight)
      const strength = nameShare * names + (1 - nameShare) * Math.min(1, texts * usualDistance)
      const evidence = shared.reduce((sum, { weight: one }) => sum + one, 0)
      return {
        storeId,
        strength: (strength * evidence) / (evidence + halfEvidence),
        shared: shared.slice(0, named).map(({ shown }) => shown),
      }
    })
    .filter(({ strength, shared }) => strength > weakest && shared.length > 0)
    .sort((one, other) => other.strength - one.strength || (one.storeId < other.storeId ? -1 : 1))
}

/** How much of a likeness names say; and what the cosine of two texts of rivals usually leaves to 1. */
const nameShare = 0.25
const usualDistance = 1.6
/** One common word can be chance: at so much weight of the shared words a likeness counts half. */
const halfEvidence = 2.5

type Weight = (stem: string) => number

function cosine(
  own: ListingTopics,
  other: ListingTopics,
  weight: Weight,
  otherWeight: Weight,
  onlyNames: boolean,
): number {
  let product = 0
  for (const [stem, { share, inName }] of other.said) {
    const ownWord = own.said.get(stem)
    if (!ownWord || (onlyNames && !(ownWord.inName && inName))) continue
    product += ownWord.share * share * weight(stem) ** 2
  }
  const norm = lengthOf(own, weight, onlyNames) * lengthOf(other, otherWeight, onlyNames)
  return norm === 0 ? 0 : Math.min(1, product / norm)
}

function lengthOf({ said }: ListingTopics, weight: Weight, onlyNames: boolean): number {
  let sum = 0
  for (const [stem, { share, inName }] of said) if (inName || !onlyNames) sum += (share * weight(stem)) ** 2
  return Math.sqrt(sum)
}

/** The words that two apps share, heaviest first. */
function sharedBy(
  own: ListingTopics,
  other: ListingTopics,
  weight: Weight,
): { shown: string; weight: number }[] {
  return [...own.said]
    .flatMap(([stem, { shown, share }]) => {
      const theirs = other.said.get(stem)
      const weighs = weight(stem) * share * (theirs?.share ?? 0)
      return weighs > 0 ? [{ shown, weight: weight(stem), weighs }] : []
    })
    .sort((one, other) => other.weighs - one.weighs || (one.shown < other.shown ? -1 : 1))
}

/** How much of one name's weight the texts of another app hold; half of it, since nothing says the rest. */
function namedIn(one: ListingTopics, other: ListingTopics, weight: (stem: string) => number): number {
  let all = 0
  let held = 0
  for (const [stem, { inName }] of one.said) {
    if (!inName) continue
    all += weight(stem) ** 2
    if (other.said.has(stem)) held += weight(stem) ** 2
  }
  return all === 0 ? 0 : held / all / 2
}

const mean = (numbers: readonly number[]) =>
  numbers.length === 0 ? 1 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** The words of a listing that tell most, as search stores them, heaviest first. */
export function distinctiveTerms(
  topics: ListingTopics,
  weights: ReadonlyMap<string, number>,
  most: number,
): string[] {
  const heaviest = [...topics.said]
    .map(([stem, { shown, share }]) => ({ shown, stem, weighs: (weights.get(stem) ?? 0) * share }))
    .filter(({ weighs }) => weighs > 0)
    .sort((one, other) => other.weighs - one.weighs || (one.stem < other.stem ? -1 : 1))
    .slice(0, most)
  return [...new Set(heaviest.map(({ shown, stem }) => queryOf(shown, stem)))]
}

/** A word in all its forms, where it has any, as `tsquery` text; of unspaced script, its pairs together. */
function queryOf(shown: string, stem: string): string {
  const terms = searchTermsOfWord(shown)
  if (terms.length === 1 && stem.length >= 4 && lightStem(terms[0] ?? '') === stem) return `'${stem}':*`
  return terms.length === 1 ? `'${terms[0]}'` : `(${terms.map((term) => `'${term}'`).join(' & ')})`
}
