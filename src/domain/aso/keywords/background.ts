import type { WordCounts } from '../../catalogue/word-weights.ts'
import type { Share } from '../scores/over-representation.ts'
import { countedWords } from '../scores/telling.ts'

/** What all listings of a language hold. */
export interface Background {
  /** How many hold a phrase, at most: as many as hold its rarest word, since words are counted and phrases are not. */
  holding: (words: readonly string[]) => Share
  /** The share that holds a word; undefined when nothing was counted. */
  shareOf: (word: string) => number | undefined
  /** Whether no more than a share of them hold a word, or a handful. */
  isRare: (word: string, share: number) => boolean
}

/** Holders of a word that say nothing of how common it is. */
const handful = 4
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
  const holdingWord = (word: string) =>
    Math.min(of, ...countedWords(word).map((counted) => holding.get(counted) ?? 1))
  return {
    holding: (words) => ({ holding: Math.min(of, ...words.map(holdingWord)), of }),
    isRare: (word, share) => holdingWord(word) <= handful + share * of,
    shareOf: (word) => (listings === 0 ? undefined : holdingWord(word) / of),
  }
}
