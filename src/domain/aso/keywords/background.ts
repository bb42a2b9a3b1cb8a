import type { WordCounts } from '../../catalogue/word-weights.ts'
import type { Share } from '../scores/over-representation.ts'
import { countedWords } from '../scores/telling.ts'

/** What all listings of a language hold. */
export interface Background {
  /** How many hold a phrase, at most: as many as hold its rarest word, since words are counted and phrases are not. */
  holding: (words: readonly string[]) => Share
  /** Whether so many hold a word that it is no name. */
  isCommon: (word: string) => boolean
  /** How much a word tells an app from others: its inverse document frequency. */
  weightOf: (word: string) => number
  /** Whether no more than a share of them hold a word, or a handful. */
  isRare: (word: string, share: number) => boolean
}

/** Holders of a word that say nothing of how common it is. */
const handful = 4
/** Words held by this share of all listings, and by so many, are no names, however they are written. */
const commonShare = 0.02
const commonListings = 12
/** Listings of a language for each that holds its commonest word. */
const perCommonest = 1.25

/**
 * @param common words of which nearly every listing of the language holds one: they tell how many of those that were
 * counted are written in it; without any, all are taken
 * @param fewest listings that are there for certain
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
      // What stands in more listings than the language has is a word of other languages too: "quiz".
      return held <= of ? { holding: held, of } : { holding: held, of: Math.max(listings, of) }
    },
    isRare: (word, share) => holdingWord(word) <= handful + share * of,
    isCommon: (word) => listings > 0 && holdingWord(word) >= Math.max(commonListings, commonShare * of),
    weightOf: (word) => Math.log((of + 1) / (holdingWord(word) + 0.5)),
  }
}
