import { roundHalfUp } from './formulas.ts'

export const autocompleteFormula = 'autocomplete/2'

/** Apple's suggestions for a prefix of a term, as far as they concern the term. */
export interface SuggestionsOfPrefix {
  typed: string
  /** Place of the term among the suggestions, 1 is first; null when it is not among them. */
  place: number | null
}

/** Places of an answer that count. */
const placesCounted = 10
/** Minimum score of a term that is suggested at all, even if only once it is typed whole. */
const suggested = 5
/** Additional letters that halve the worth of a suggestion. */
const halvedAfter = 4

/**
 * How early and how high a term is suggested while it is typed, 0 to 100 in whole numbers: the best of its prefixes, each
 * scored by typed letters and place. The length of the term does not count: a term suggested after three letters has beaten
 * all others with that prefix. It does not measure how often people search. Our own formula, explained in docs/scores.md.
 * @param beginnings answers for prefixes of the term, including the whole term if it was asked
 * @returns undefined where no prefix shorter than the term was asked
 */
export function autocompleteOf(term: string, beginnings: readonly SuggestionsOfPrefix[]): number | undefined {
  if (beginnings.every(({ typed }) => typed === term)) return undefined
  const worth = beginnings.map(({ typed, place }) => {
    if (place === null) return 0
    if (typed === term) return suggested
    const earliness = 2 ** -((prefixLetters(typed) - 1) / halvedAfter)
    return Math.max(suggested, 100 * earliness * (1 - (place - 1) / placesCounted))
  })
  return roundHalfUp(Math.max(...worth))
}

/**
 * The length of a prefix in letters of an alphabet: a Han character, often a word, counts three, a syllable of kana or
 * Hangul two.
 */
export function prefixLetters(typed: string): number {
  let letters = 0
  for (const letter of typed) letters += han.test(letter) ? 3 : syllable.test(letter) ? 2 : 1
  return letters
}

const han = /\p{Script=Han}/u
const syllable = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Scripts in which a single letter carries about as much information as a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * The prefixes of a term that are typed: a quarter, half, three quarters and all of its letters, shortest first, without
 * duplicates. The first has at least one letter of a dense script, or two of any other.
 */
export function typedPrefixesOf(term: string): string[] {
  const letters = [...term]
  const least = dense.test(term) ? 1 : 2
  const typed = [1 / 4, 1 / 2, 3 / 4, 1].map((share) =>
    letters
      .slice(0, Math.max(least, Math.ceil(share * letters.length)))
      .join('')
      .trimEnd(),
  )
  return [...new Set(typed)]
}

/** The first half of a term's letters: the prefix that a refresh collects suggestions for. */
export function halfPrefixOf(term: string): string {
  const letters = [...term]
  return letters
    .slice(0, Math.ceil(letters.length / 2))
    .join('')
    .trimEnd()
}
