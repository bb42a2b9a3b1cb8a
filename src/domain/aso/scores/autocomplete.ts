import { roundHalfUp } from './rounding.ts'

export const autocompleteFormula = 'autocomplete/2'

/** What Apple suggested for a beginning of a term. */
export interface TypedBeginning {
  typed: string
  /** Place of the term among the suggestions, 1 is first; null when it is not among them. */
  place: number | null
}

/** Places of an answer that count. */
const placesCounted = 10
/** What a term is worth at least that is suggested at all, though it be once it is typed whole. */
const suggested = 5
/** Letters more after which a suggestion is worth half. */
const halvedAfter = 4

/**
 * How early and how high a term is suggested while it is typed, 0 to 100 in whole numbers: the best of its beginnings,
 * each by the letters that were typed and the place. How long the term is counts nothing: what is suggested after three
 * letters has beaten all that begins so. It says nothing about how often people search. Our own formula, explained in
 * docs/scores.md.
 * @param beginnings answers for beginnings of the term, the whole term among them if it was asked
 * @returns undefined where no beginning shorter than the term was asked
 */
export function autocompleteOf(term: string, beginnings: readonly TypedBeginning[]): number | undefined {
  if (beginnings.every(({ typed }) => typed === term)) return undefined
  const worth = beginnings.map(({ typed, place }) => {
    if (place === null) return 0
    if (typed === term) return suggested
    const earliness = 2 ** -((lettersTyped(typed) - 1) / halvedAfter)
    return Math.max(suggested, 100 * earliness * (1 - (place - 1) / placesCounted))
  })
  return roundHalfUp(Math.max(...worth))
}

/**
 * Letters as an alphabet would need them: a Han character, often a word, counts three, and a syllable of kana or Hangul
 * two.
 */
export function lettersTyped(typed: string): number {
  let letters = 0
  for (const letter of typed) letters += han.test(letter) ? 3 : syllable.test(letter) ? 2 : 1
  return letters
}

const han = /\p{Script=Han}/u
const syllable = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
