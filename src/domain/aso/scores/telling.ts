import { pairs, tokens } from '../../../text/search-terms.ts'
import type { WordCounts } from '../../catalogue/word-weights.ts'
import { roundHalfUp } from './rounding.ts'

export const tellingFormula = 'telling/1'

/** Listings that must have been looked at. */
const fewestListings = 50

/** How much a term of the app's own texts must tell to be taken for a keyword. */
export const tellingEnough = 15

/** The words that are counted for a term, as search stores them; unspaced script is counted by pairs of letters. */
export function countedWords(term: string): string[] {
  return tokens(term).flatMap((token) => (token.kind === 'word' ? [token.text] : pairs(token.text)))
}

/**
 * How much a term tells an app from others, 0 to 100 in whole numbers: 100 is held by no stored listing, 0 by all of them,
 * on a logarithmic scale. A term of several words tells as much as its rarest one, since words are counted and phrases are
 * not, and no phrase stands in more listings than its rarest word. Our own use of inverse document frequency, explained
 * in docs/scores.md.
 * @returns undefined with fewer than 50 listings, and for a single letter of unspaced script
 */
export function tellingOf(term: string, { listings, holding }: WordCounts): number | undefined {
  const words = countedWords(term)
  if (listings < fewestListings || words.length === 0) return undefined
  const rarest = Math.min(...words.map((word) => holding.get(word) ?? 1))
  return roundHalfUp((100 * Math.log((listings + 1) / (rarest + 1))) / Math.log(listings + 1))
}
