import { type Asked, fold } from '../../../text/search-terms.ts'

/** The inputs of a match's score. */
export interface Match {
  /** Titles, hashtags, author or advertiser. */
  leading: readonly string[]
  /** Other texts; only used when the query has several words. */
  text: string
  /** Popularity, 0 to 1. */
  popularity: number
  /** Null when not measured. */
  ageDays: number | null
}

const shares = { text: 0.55, popularity: 0.25, recency: 0.2 }
/** Half-life of recency, in days. */
const halfLifeDays = 180

/** Relevance of a match, 0 to 1: more than half is the fit of the text, then popularity and recency. */
export function relevance(asked: Asked, { leading, text, popularity, ageDays }: Match): number {
  const recency = ageDays === null ? 0 : 2 ** (-Math.max(0, ageDays) / halfLifeDays)
  const score =
    shares.text * textFit(asked, leading, text) + shares.popularity * popularity + shares.recency * recency
  return Math.round(score * 1e6) / 1e6
}

/**
 * Best is a title or hashtag equal to the query, then one that contains it as a phrase, then one with its words, then the
 * other texts.
 */
function textFit(asked: Asked, leading: readonly string[], text: string): number {
  const pieces = leading.map((piece) => fold(piece).trim())
  if (pieces.includes(asked.folded)) return 1
  if (pieces.some((piece) => piece.includes(asked.folded))) return 0.9
  if (asked.tokens.every((token) => pieces.some((piece) => piece.includes(token.text)))) return 0.7
  return asked.tokens.length > 1 && fold(text).includes(asked.folded) ? 0.5 : 0.3
}
