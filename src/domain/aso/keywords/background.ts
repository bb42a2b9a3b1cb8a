import type { WordCounts } from '../../catalogue/word-weights.ts'
import { countedWords, type Share } from '../scores/telling.ts'

/** How common words are among all listings of a language. */
export interface Background {
  /**
   * The share of listings that hold a phrase, at most: that of its rarest word, since words are counted and phrases are not.
   */
  holding: (words: readonly string[]) => Share
  /** Whether a word is so common that it is no name. */
  isCommon: (word: string) => boolean
  /** The inverse document frequency of a word. */
  weightOf: (word: string) => number
  /** Whether at most this share of the listings, or a handful, hold a word. */
  isRare: (word: string, share: number) => boolean
}

/** A word with this many holders or fewer counts as rare whatever the share. */
const handful = 4
/** A word that this share of all listings holds, and at least this many, is no name, however it is written. */
const commonShare = 0.02
const commonListings = 12
/** Listings of a language per listing that holds its commonest word. */
const perCommonest = 1.25

/**
 * @param common words of which nearly every listing of the language holds one: from them follows how many of the counted
 * listings are in the language; without any, all are taken
 * @param fewest listings known to exist
 */
export function backgroundOf(
  { listings, holding }: WordCounts,
  common: readonly string[],
  fewest: number,
): Background {
  const held = common.map((word) => Math.min(...countedWords(word).map((counted) => holding.get(counted) ?? 0)))
  const written = Math.round(Math.max(0, ...held) * perCommonest) || listings
  const of = Math.max(fewest, Math.min(listings, written))
  const known = new Map<string, number>()
  const everywhere = (word: string): number => {
    const before = known.get(word)
    if (before !== undefined) return before
    const held = Math.min(
      Math.max(listings, of),
      ...countedWords(word).map((counted) => holding.get(counted) ?? 1),
    )
    known.set(word, held)
    return held
  }
  const holdingWord = (word: string) => Math.min(of, everywhere(word))
  return {
    holding: (words) => {
      const held = Math.min(...words.map(everywhere))
      // A word held by more listings than the language has is a word of other languages too: "quiz".
      return held <= of ? { holding: held, of } : { holding: held, of: Math.max(listings, of) }
    },
    isRare: (word, share) => holdingWord(word) <= handful + share * of,
    isCommon: (word) => listings > 0 && holdingWord(word) >= Math.max(commonListings, commonShare * of),
    weightOf: (word) => Math.log((of + 1) / (holdingWord(word) + 0.5)),
  }
}
