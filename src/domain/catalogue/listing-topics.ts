import { LRUCache } from 'lru-cache'
import { listingWords, withoutLegalLines } from '../../text/listing-words.ts'
import { letterPairs, tokens } from '../../text/search-terms.ts'
import { lightStem } from '../../text/stems.ts'
import { stopWordsOf, stopWordsOfAll, wordsForApp } from '../../text/stop-words.ts'

/** The texts of an app in a storefront. */
interface ListingTexts {
  name?: string | null | undefined
  subtitle?: string | null | undefined
  description?: string | null | undefined
}

/** How often and where a listing uses a word. */
export interface WordUse {
  /** As the listing writes it. */
  shown: string
  inName: boolean
  /** 3 in the name, 2 in its brand and in the subtitle, else 1 and a little for each time the description repeats it. */
  share: number
}

/** The words of a listing by their stems. */
export interface ListingTopics {
  said: ReadonlyMap<string, WordUse>
  described: boolean
}

/** Words for games in many languages: every other app is one, so they characterise none. */
const wordsForGame: ReadonlySet<string> = new Set(
  'game games gaming gamer gamers jeu jeux spiel spiele juego juegos gioco giochi jogo jogos игра игры ゲーム 游戏 遊戲 게임'.split(
    ' ',
  ),
)

/** Words by which editions of one app differ. */
const editionWords: ReadonlySet<string> = new Set(
  'app for the hd ipad iphone ios mobile free pro plus lite premium full paid deluxe classic edition version no ads to go new'.split(
    ' ',
  ),
)

/** Words that fit every app and characterise none: for apps, games and editions. */
const everyApp: ReadonlySet<string> = new Set([...wordsForApp, ...wordsForGame, ...editionWords])

/** A long enumeration, such as the supported languages: its words characterise the app little. */
const list = /(?:[\p{L}\p{M}]{2,20}(?: [\p{L}\p{M}]{1,20})?[,、،]\s*){6,}(?:[\p{L}\p{M}]+)?/gu

/** Maximum weight that repetitions in the description add to a word. */
const mostRepeated = 1.5

/** So few words before a separator, and so many letters after it, make the first part a brand, which says less about the purpose. */
const longestBrand = 2
const shortestSaid = 4

/** Maximum letters of a description that are used: its beginning says what the app is for. */
export const maxDescriptionLetters = 800

/** Apps are compared with the same neighbours again and again: topics of the latest texts, by all that they follow from; some 10 kB each. */
const latest = new LRUCache<string, ListingTopics>({ max: 1_000 })

/**
 * What a listing speaks of: the words of its name, its subtitle and the beginning of its description, without lines about
 * contracts and payments, and without words that mean nothing by themselves: in a description those of any language, since
 * many are written in several, in a name those of the language it is written in.
 */
export function topicsOfListing(
  { name, subtitle, description }: ListingTexts,
  country: string,
  language: string | undefined,
): ListingTopics {
  const text = (description ?? '').slice(0, maxDescriptionLetters)
  const key = [country, language, name, subtitle, text].join('\0')
  const known = latest.get(key)
  if (known) return known
  const topics = readTopics({ name, subtitle, description: text }, country, language)
  latest.set(key, topics)
  return topics
}

function readTopics(
  { name, subtitle, description }: ListingTexts & { description: string },
  country: string,
  language: string | undefined,
): ListingTopics {
  const found = new Map<string, WordUse & { times: number }>()
  const read = (
    text: string | null | undefined,
    share: number,
    stopWords: ReadonlySet<string>,
    inName = false,
  ) => {
    for (const { text: shown, key } of listingWords(text ?? '', country)) {
      if (stopWords.has(shown) || !means(key)) continue
      const stem = lightStem(key)
      const known = found.get(stem)
      if (!known) found.set(stem, { shown, inName, share, times: 1 })
      else if (share === 1) known.times++
    }
  }
  const own = stopWordsOf(language)
  const { brand, said } = partsOfName(name ?? '')
  const isBrand = said.trim().length >= shortestSaid && brand.trim().split(/\s+/).length <= longestBrand
  read(isBrand ? said : name, 3, own, true)
  if (isBrand) read(brand, 2, own, true)
  read(subtitle, 2, own)
  read(withoutLists(withoutLegalLines(description)), 1, stopWordsOfAll())
  for (const one of found.values()) one.share += Math.min(mostRepeated, Math.log(one.times))
  return { said: found, described: description.length > 0 }
}

const itemOfList = /^\s*[\p{L}\p{M}]{2,20}(?: [\p{L}\p{M}]{1,20})?$/u

/** A quick test before the slow pattern of an enumeration: few texts have five items between commas in a row. */
function withoutLists(text: string): string {
  let items = 0
  for (const part of text.split(/[,、،]/)) {
    items = itemOfList.test(part) ? items + 1 : 0
    if (items === 5) return text.replace(list, ' ')
  }
  return text
}

function means(key: string): boolean {
  if (key.length < 2 || !/\p{L}/u.test(key)) return false
  return !everyApp.has(key)
}

/** The terms under which search stores a word. */
export const searchTermsOfWord = (word: string): string[] =>
  tokens(word).flatMap((token) =>
    token.kind === 'word' ? [token.text] : token.text.length === 1 ? [] : letterPairs(token.text),
  )

/** Minimum share of common words of two names to be of one app. */
const sameWords = 0.6

/** Whether two names could be of one app: they begin alike up to the first mark, and hold mostly the same words. */
export function compareEditionNames(one: string, other: string): { alike: boolean; same: boolean } {
  const mine = wordsOf(one)
  const theirs = wordsOf(other)
  const both = [...mine].filter((word) => theirs.has(word)).length
  const all = mine.size + theirs.size - both
  const alike = [...wordsOf(brandOf(one))].join(' ') === [...wordsOf(brandOf(other))].join(' ')
  return { alike, same: alike && (all === 0 || both / all >= sameWords) }
}

/** Splits a name at its first separator: the proper name, and the description after it. */
function partsOfName(name: string): { brand: string; said: string } {
  const [brand = '', ...said] = name.split(/\s[-–—|]\s|[:：|–—]/u)
  return { brand, said: said.join(' ') }
}

const brandOf = (name: string) => partsOfName(name).brand

function wordsOf(name: string): Set<string> {
  const words = tokens(name).map(({ text }) => text)
  const distinctive = words.filter((word) => !editionWords.has(word))
  return new Set(distinctive.length > 0 ? distinctive : words)
}
