import { type Asked, tokens } from '../../text/search-terms.ts'

export const searchFormula = 'search/1'

/** What the score of a match rests on. */
export interface Match {
  /** The folded name. */
  sortName: string
  ratingCount: number | null
  /** Whether all terms were found among names and developer; otherwise the description was needed. */
  inName: boolean
  /** Whether a misspelling was assumed. */
  corrected: boolean
}

/** Share of the score that is text; the rest is how established the app is. */
const textShare = 0.7
/** Ratings at which an app counts as fully established: a few apps in the world have more than ten million. */
const fullyEstablished = 7

/**
 * How well an app answers a text, 0 to 1: 0.7 of it how the name fits, 0.3 the logarithm of its ratings. An exact name
 * fits best, then one that begins with the text, then one that holds the words, then a description that does.
 */
export function relevance(asked: Asked, match: Match): number {
  const established = Math.min(1, Math.log10(1 + (match.ratingCount ?? 0)) / fullyEstablished)
  const text = textFit(asked, match) * (match.corrected ? 0.8 : 1)
  return Math.round((textShare * text + (1 - textShare) * established) * 1e6) / 1e6
}

function textFit(asked: Asked, match: Match): number {
  if (!match.inName) return 0.25
  const name = match.sortName.trim()
  if (name === asked.folded) return 1
  if (name.startsWith(asked.folded)) return /^[\p{L}\p{N}]/u.test(name.slice(asked.folded.length)) ? 0.8 : 0.9
  const held = tokens(name)
  const found = asked.tokens.filter((token) => held.some((own) => own.text.includes(token.text)))
  const covered = held.length === 0 ? 0 : Math.min(1, found.length / held.length)
  return found.length === asked.tokens.length ? 0.55 + 0.2 * covered : 0.45
}
