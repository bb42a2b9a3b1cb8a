import { type Asked, fold } from '../../../text/search-terms.ts'

/** What the rank of a match rests on. */
export interface Match {
  /** Titles, hashtags, author or advertiser. */
  leading: readonly string[]
  /** Other texts; only looked at when several words were asked for. */
  text: string
  /** How well it did, 0 to 1. */
  popularity: number
  /** Null when that is not measured. */
  ageDays: number | null
}

const shares = { text: 0.55, popularity: 0.25, recency: 0.2 }
/** After so many days an item counts half as recent. */
const halfLifeDays = 180

/** How well a match answers a text, 0 to 1: more than half is how the text fits, then how well it did and how recent it is. */
export function relevance(asked: Asked, { leading, text, popularity, ageDays }: Match): number {
  const recency = ageDays === null ? 0 : 2 ** (-Math.max(0, ageDays) / halfLifeDays)
  const score =
    shares.text * textFit(asked, leading, text) + shares.popularity * popularity + shares.recency * recency
  return Math.round(score * 1e6) / 1e6
}

/** A title or hashtag that is the text fits best, then one that holds it as it stands, then its words, then the other texts. */
function textFit(asked: Asked, leading: readonly string[], text: string): number {
  const pieces = leading.map((piece) => fold(piece).trim())
  if (pieces.includes(asked.folded)) return 1
  if (pieces.some((piece) => piece.includes(asked.folded))) return 0.9
  if (asked.tokens.every((token) => pieces.some((piece) => piece.includes(token.text)))) return 0.7
  return asked.tokens.length > 1 && fold(text).includes(asked.folded) ? 0.5 : 0.3
}
