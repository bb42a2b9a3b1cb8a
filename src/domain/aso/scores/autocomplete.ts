import { roundHalfUp } from './rounding.ts'

export const autocompleteFormula = 'autocomplete/1'

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

/**
 * How early and how high a term is suggested while it is typed, 0 to 100 in whole numbers: the best of its beginnings,
 * each the share of letters it spares times the place. 100 is first after one letter. It says nothing about how often
 * people search. Our own formula, explained in docs/scores.md.
 * @param beginnings answers for beginnings of the term, the whole term among them if it was asked
 * @returns undefined where no beginning shorter than the term was asked
 */
export function autocompleteOf(term: string, beginnings: readonly TypedBeginning[]): number | undefined {
  const letters = [...term].length
  const proper = beginnings.filter(({ typed }) => typed !== term)
  if (proper.length === 0) return undefined
  const worth = beginnings.map(({ typed, place }) => {
    if (place === null) return 0
    const spared = (letters - [...typed].length) / (letters - 1)
    return Math.max(suggested, 100 * spared * (1 - (place - 1) / placesCounted))
  })
  return roundHalfUp(Math.max(...worth))
}
