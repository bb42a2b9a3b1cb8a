import {
  commonAcronyms,
  companyWords,
  isKnownName,
  properNameTester,
  wordsWithMark,
} from '../../../text/known-names.ts'
import { type ListingWord, listingWords, withoutSideLines } from '../../../text/listing-words.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { fold } from '../../../text/search-terms.ts'
import { wordsOfPraise } from '../../../text/stop-words.ts'
import type { WordCounts } from '../../catalogue/word-weights.ts'
import { type ShareOfApps, specificityWords } from '../scores/specificity.ts'
import type { AppTexts } from './suggestion-queries.ts'

/** The separator between a name and its description: "Bear - Notes", "Mint: Budget", "クックパッド（料理）". */
const headEnds = /\s[-–—|~・]\s*|[-–—|]\s|[:：|｜(（「『【［[,、!！。]|(?<=[^\p{ASCII}])[-–—]/u

/** The proper part of a name, before the part that describes the app; the whole name where it has no such parts. */
export const properPartOfName = (name: string): string => name.trim().split(headEnds)[0] ?? name

/** The same key for all companies of a group: "Rakuten Card" and "Rakuten Group" count as one developer. */
function companyOf(developer: string | null | undefined): string {
  const words = fold(developer ?? '')
    .replaceAll(/株式会社|有限会社|合同会社|有限公司/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !companyWords.has(word))
  return words.join(' ')
}

/** A word in the app names of this many developers is no brand. */
export const maxDevelopersOfBrand = 3

/** The texts of an app, split into words. */
export interface AppTextWords {
  app: AppTexts
  developer: string
  /** The proper part of the name, with the developer. */
  head: readonly ListingWord[]
  /** Whether the name shows where that part ends; "Sleep Cycle alarm clock" does not. */
  headIsClear: boolean
  name: readonly ListingWord[]
  subtitle: readonly ListingWord[]
  description: readonly ListingWord[]
}

export function splitAppTexts(app: AppTexts, country: string): AppTextWords {
  const words = (text: string | null | undefined) =>
    listingWords((text ?? '').replace(signsOfRights, ' '), country)
  const [name, head] = [words(app.name), properPartOfName(app.name)]
  const headIsClear = head !== app.name.trim() || name.length === 1
  // In scripts without letter case an unclear head may be nothing but a description, except for its borrowed words.
  const naming = headIsClear || !unspaced.test(head) ? head : [...head.matchAll(borrowed)].join(' ')
  return {
    app,
    // Without a stated developer, apps of one name count as one developer's: "Bear - Notes" and "Bear Pro - Notes".
    developer: companyOf(app.developer) || (headIsClear && editionless(head)) || app.storeId,
    head: words(`${naming}\n${app.developer ?? ''}`).filter(({ key }) => !companyWords.has(key)),
    headIsClear,
    name,
    subtitle: words(app.subtitle),
    description: words(withoutSideLines(app.description ?? '').replace(titles, '\n')),
  }
}

/** Removed first, since folding would turn them into words: "tm". */
const signsOfRights = /[™®©℠]+/gu
/** Names of books, films and games. */
const titles = /《[^》\n]{1,60}》|『[^』\n]{1,60}』/gu

const editionless = (head: string) =>
  fold(head)
    .split(/\s+/)
    .filter((word) => !wordsOfPraise.has(word))
    .join(' ')

const borrowed = /[\p{Script=Katakana}ー]{3,}|[\p{Script=Latin}\p{N}]+/gu
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/**
 * Words that follow a lower-case word: in running text of most languages only names are capitalised there, while headlines
 * capitalise every word.
 */
const withinSentence = /(?<=(?:^|[\s(])\p{Ll}[\p{Ll}\p{M}'’]*,? )\p{L}[\p{L}\p{M}\p{N}]*/gmu
const acronym = /^\p{Lu}{2,4}$/u

/** Minimum developers that write a word and never in lower case, for it to be a name whatever else has that name. */
const fewestCapital = 3

/**
 * Distinguishes names of companies and products from words that say what an app does, by how some apps use them. A word is a
 * name when it is capitalised within sentences and never in lower case. Where case says nothing (unspaced scripts, German
 * nouns), it is one when it stands in the proper part of a name and one developer alone uses it. In a text of another
 * script, Latin words are names unless several developers use them. A word in many listings or many app names is no name.
 */
export function findBrandNames(
  apps: readonly AppTextWords[],
  country: string,
  language: string | undefined,
  { isCommon }: WordFrequencies,
): (word: string) => boolean {
  const [lower, capital] = [new Set<string>(), new Map<string, Set<string>>()]
  const [users, namers] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const [called, owned, companies] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { app, developer, head, headIsClear, name, subtitle, description } of apps) {
    for (const { key } of head) {
      setOf(namers, key).add(developer)
      if (headIsClear) called.add(key)
    }
    for (const { key } of [...name, ...subtitle, ...description]) setOf(users, key).add(developer)
    if (app.developer) companies.add(developer)
    const made = new Set(listingWords(app.developer ?? '', country).map(({ key }) => key))
    for (const { key } of name) if (made.has(key)) owned.add(key)
    for (const [word] of (app.description ?? '').matchAll(withinSentence)) {
      if (/^\p{Ll}/u.test(word)) lower.add(fold(word))
      else if (!acronym.test(word) || !commonAcronyms.has(fold(word))) setOf(capital, fold(word)).add(developer)
    }
    for (const text of [app.name, app.subtitle, app.description])
      for (const word of wordsWithMark(text ?? '')) owned.add(word)
  }
  const isProper = properNameTester(language)
  const sizeOf = (sets: ReadonlyMap<string, Set<string>>, word: string) => sets.get(word)?.size ?? 0
  return (word) => {
    if (isKnownName(word)) return true
    if (isProper(word)) return false
    const named = sizeOf(namers, word)
    const alone = named > 0 && sizeOf(users, word) < 2
    if (alone && called.has(word)) return true
    if (companies.has(word) && !isCommon(word)) return true
    if (lower.has(word)) return false
    if (owned.has(word) && !isCommon(word)) return true
    if (language !== 'de' && sizeOf(capital, word) >= fewestCapital) return true
    if (isUnspaced(language) && latin.test(word) && sizeOf(users, word) < maxDevelopersOfBrand) return true
    if (named >= maxDevelopersOfBrand || isCommon(word)) return false
    if (alone) return true
    return language !== 'de' && sizeOf(capital, word) > 0
  }
}

const latin = /^\p{Script=Latin}+$/u
const isUnspaced = (language: string | undefined) => ['ja', 'zh', 'ko', 'th'].includes(language ?? '')

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key) ?? new Set<string>()
  sets.set(key, known)
  return known
}

/** How common words are among all listings of a language. */
export interface WordFrequencies {
  /**
   * The share of listings that hold a phrase, at most: that of its rarest word, since words are counted and phrases are not.
   */
  holding: (words: readonly string[]) => ShareOfApps
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
export function wordFrequenciesOf(
  { listings, holding }: WordCounts,
  common: readonly string[],
  fewest: number,
): WordFrequencies {
  const held = common.map((word) =>
    Math.min(...specificityWords(word).map((counted) => holding.get(counted) ?? 0)),
  )
  const written = Math.round(Math.max(0, ...held) * perCommonest) || listings
  const of = Math.max(fewest, Math.min(listings, written))
  const known = new Map<string, number>()
  const everywhere = (word: string): number => {
    const before = known.get(word)
    if (before !== undefined) return before
    const held = Math.min(
      Math.max(listings, of),
      ...specificityWords(word).map((counted) => holding.get(counted) ?? 1),
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
