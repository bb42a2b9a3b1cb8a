import { letterPairs, tokens } from '../../../text/search-terms.ts'
import type { WordCounts } from '../../catalogue/word-weights.ts'
import { roundHalfUp } from './formulas.ts'

export const specificityFormula = 'telling/1'

/** Minimum listings counted. */
const fewestListings = 50

/** Minimum specificity of a term of the app's own texts to be taken as a keyword. */
export const minKeywordSpecificity = 15

/** The words counted for a term, as search stores them; unspaced script is counted by pairs of letters. */
export function specificityWords(term: string): string[] {
  return tokens(term).flatMap((token) => (token.kind === 'word' ? [token.text] : letterPairs(token.text)))
}

/**
 * The specificity of a term, 0 to 100 in whole numbers on a logarithmic scale: 100 when no stored listing holds it, 0 when
 * all do. A term of several words is as specific as its rarest one, since words are counted and phrases are not, and no
 * phrase is in more listings than its rarest word. Our own use of inverse document frequency, explained in docs/scores.md.
 * @returns undefined with fewer than 50 listings, and for a single letter of unspaced script
 */
export function specificityOf(term: string, { listings, holding }: WordCounts): number | undefined {
  const words = specificityWords(term)
  if (listings < fewestListings || words.length === 0) return undefined
  const rarest = Math.min(...words.map((word) => holding.get(word) ?? 1))
  return roundHalfUp((100 * Math.log((listings + 1) / (rarest + 1))) / Math.log(listings + 1))
}

/** A part of a total: `holding` of `of` apps hold a phrase. */
export interface ShareOfApps {
  holding: number
  of: number
}

/** The prior share of all apps, before anything was counted: half of one in fifty. */
const prior: ShareOfApps = { holding: 0.5, of: 50 }

/**
 * How much more often a phrase is used by some apps than by all others, as the log-likelihood ratio of two binomial shares:
 * 0 where it is as frequent or less, about 7 where chance explains it once in a hundred times. Unlike a ratio of
 * frequencies, it does not overrate rare phrases. Source: Dunning 1993, Accurate Methods for the Statistics of Surprise and
 * Coincidence; with a prior on the share of the others, as Monroe, Colaresi and Quinn 2008 (Fightin' Words) advise.
 */
export function overRepresentation(among: ShareOfApps, all: ShareOfApps): number {
  const others = {
    holding: Math.max(0, all.holding - among.holding) + prior.holding,
    of: Math.max(0, all.of - among.of) + prior.of,
  }
  const [here, there] = [among.holding / among.of, others.holding / others.of]
  if (among.of === 0 || here <= there) return 0
  const both = (among.holding + others.holding) / (among.of + others.of)
  return (
    2 *
    (likelihood(among, here) + likelihood(others, there) - likelihood(among, both) - likelihood(others, both))
  )
}

const likelihood = ({ holding, of }: ShareOfApps, share: number): number =>
  term(holding, share) + term(of - holding, 1 - share)

const term = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share))
