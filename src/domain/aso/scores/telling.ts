import { pairs, tokens } from '../../../text/search-terms.ts'
import type { WordCounts } from '../../catalogue/word-weights.ts'
import { roundHalfUp } from './rounding.ts'

export const tellingFormula = 'telling/1'

/** Minimum listings counted. */
const fewestListings = 50

/** Minimum specificity of a term of the app's own texts to be taken as a keyword. */
export const tellingEnough = 15

/** The words counted for a term, as search stores them; unspaced script is counted by pairs of letters. */
export function countedWords(term: string): string[] {
  return tokens(term).flatMap((token) => (token.kind === 'word' ? [token.text] : pairs(token.text)))
}

/**
 * The specificity of a term, 0 to 100 in whole numbers on a logarithmic scale: 100 when no stored listing holds it, 0 when
 * all do. A term of several words is as specific as its rarest one, since words are counted and phrases are not, and no
 * phrase is in more listings than its rarest word. Our own use of inverse document frequency, explained in docs/scores.md.
 * @returns undefined with fewer than 50 listings, and for a single letter of unspaced script
 */
export function tellingOf(term: string, { listings, holding }: WordCounts): number | undefined {
  const words = countedWords(term)
  if (listings < fewestListings || words.length === 0) return undefined
  const rarest = Math.min(...words.map((word) => holding.get(word) ?? 1))
  return roundHalfUp((100 * Math.log((listings + 1) / (rarest + 1))) / Math.log(listings + 1))
}
