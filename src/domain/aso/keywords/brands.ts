import { withoutLegalLines } from '../../../text/legal-lines.ts'
import { type ListingWord, listingWords } from '../../../text/listing-words.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { fold } from '../../../text/search-terms.ts'
import type { AppTexts } from './suggestion-queries.ts'

/** What companies call themselves beside their name, folded. */
const companyWords = new Set(
  'the inc llc ltd limited corp corporation co company gmbh ag sa sas sarl bv ab oy kk plc pty group holdings technologies technology software studio studios labs lab media mobile apps app digital interactive games international bank card securities payment payments insurance finance financial life home travel japan usa europe 株式会社 有限会社 合同会社 有限公司 科技'.split(
    ' ',
  ),
)

/**
 * Platforms and companies whose names stand in listings of every kind: "sync with", "connect to". Apple refuses them in
 * keywords as it refuses rivals' names.
 */
const platforms = new Set(
  'apple iphone ipad ipod itunes ios icloud imessage siri watchos macos mac airplay airdrop healthkit homekit appstore google android gmail facebook twitter instagram whatsapp youtube snapchat tiktok pinterest tumblr linkedin reddit skype messenger wechat weibo microsoft windows amazon alexa kindle dropbox evernote paypal spotify netflix fitbit garmin strava samsung sony line 微信 微博 淘宝'.split(
    ' ',
  ),
)

/** Where a name ends and what it is begins: "Bear - Notes", "Mint: Budget", "クックパッド（料理）". */
const headEnds = /\s[-–—|~・]\s*|[-–—|]\s|[:：|｜(（「『【［[,、!！。]|(?<=[^\p{ASCII}])[-–—]/u

/** The part of a name that names, before the part that describes; all of a name that has no such parts. */
export const headOf = (name: string): string => name.trim().split(headEnds)[0] ?? name

/** One for all companies of a group: "Rakuten Card" and "Rakuten Group" are no two developers. */
function developerKey({ developer, storeId }: AppTexts): string {
  const words = fold(developer ?? '')
    .replaceAll(/株式会社|有限会社|合同会社|有限公司/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !companyWords.has(word))
  return words.length > 0 ? words.join(' ') : storeId
}

/** Words held by this share of all listings are no names, however they are written. */
const commonShare = 0.02
/** A word that so many developers call their apps by names none of them. */
export const sharedName = 3

/** The texts of an app, read into words. */
export interface ReadTexts {
  app: AppTexts
  developer: string
  /** The part of the name that names, with the developer. */
  head: readonly ListingWord[]
  /** Whether the name shows where that part ends: of "Sleep Cycle alarm clock" nobody can tell. */
  headIsClear: boolean
  name: readonly ListingWord[]
  subtitle: readonly ListingWord[]
  description: readonly ListingWord[]
}

export function readTexts(app: AppTexts, country: string): ReadTexts {
  const words = (text: string | null) => listingWords(text ?? '', country)
  const [name, head] = [words(app.name), headOf(app.name)]
  const headIsClear = head !== app.name.trim() || name.length === 1
  // Where no case tells names from other words, an unclear head may be nothing but a description.
  const naming = headIsClear || !unspaced.test(head) ? head : ''
  return {
    app,
    developer: developerKey(app),
    head: words(`${naming}\n${app.developer ?? ''}`).filter(({ key }) => !companyWords.has(key)),
    headIsClear,
    name,
    subtitle: words(app.subtitle),
    description: words(withoutLegalLines(app.description ?? '')),
  }
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** Words within a sentence, where only names are capital in most languages. */
const withinSentence = /(?<=[\p{Ll}\p{N}][,;]? )\p{L}[\p{L}\p{M}\p{N}]*/gu
const acronym = /^\p{Lu}{2,4}$/u

/**
 * Tells words that name companies and products from words that say what an app does, by how some apps use them. A word is
 * a name when it is never in lower case within a sentence, and where case tells nothing (unspaced scripts, German nouns)
 * when it stands where names stand and one developer alone uses it. What many listings hold, or many are called, is none.
 * @param nounsAreCapital as in German
 * @param shareOf the share of all stored listings that hold a word; undefined when nothing was counted
 */
export function brandsAmong(
  apps: readonly ReadTexts[],
  nounsAreCapital: boolean,
  shareOf: (word: string) => number | undefined,
): (word: string) => boolean {
  const [lower, capital] = [new Set<string>(), new Set<string>()]
  const [users, namers] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const called = new Set<string>()
  for (const { app, developer, head, headIsClear, name, subtitle, description } of apps) {
    for (const { key } of head) {
      setOf(namers, key).add(developer)
      if (headIsClear) called.add(key)
    }
    for (const { key } of [...name, ...subtitle, ...description]) setOf(users, key).add(developer)
    for (const [word] of (app.description ?? '').matchAll(withinSentence)) {
      if (/^\p{Ll}/u.test(word)) lower.add(fold(word))
      else if (!acronym.test(word)) capital.add(fold(word))
    }
  }
  return (word) => {
    if (platforms.has(word)) return true
    const named = namers.get(word)?.size ?? 0
    const alone = named > 0 && (users.get(word)?.size ?? 0) < 2
    if (alone && called.has(word)) return true
    if (lower.has(word) || named >= sharedName || (shareOf(word) ?? 0) >= commonShare) return false
    if (alone) return true
    return !nounsAreCapital && capital.has(word)
  }
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key) ?? new Set<string>()
  sets.set(key, known)
  return known
}
