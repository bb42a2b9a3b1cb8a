import { type ListingTerm, termsIn } from '../../../text/listing-words.ts'
import { fold } from '../../../text/search-terms.ts'
import { wordsForApp, wordsOfPraise } from '../../../text/stop-words.ts'
import { isFragment } from '../../../text/term-fragments.ts'
import { type AppTextWords, properPartOfName } from './brands.ts'

/** A phrase of the texts of an app and of similar apps. */
export interface Phrase {
  /** Normalised. */
  term: string
  key: string
  words: readonly string[]
  /** Developers whose texts hold it, and those whose names or subtitles do. */
  developers: Set<string>
  naming: Set<string>
  /** Developers of apps that are neither the app itself nor a rival. */
  others: Set<string>
  /** Rivals with the phrase in the name, and in the subtitle. */
  inNames: Set<string>
  inSubtitles: Set<string>
  /** Occurrences in the app's own texts, by text. */
  own: { name: number; subtitle: number; description: number }
  /** Whether it is within the proper part of a name. */
  inHead: boolean
  /** Whether it is the whole proper part of a name. */
  isHead: boolean
  /** Whether it is the proper part of the app's own name. */
  isOwnHead: boolean
}

/** Maximum words of a phrase. */
const longestPhrase = 3

/** The phrases of an app, of its rivals, and of other similar apps. */
export function phrasesOf(
  own: AppTextWords | undefined,
  rivals: readonly AppTextWords[],
  others: readonly AppTextWords[],
  stopWords: Pick<ReadonlySet<string>, 'has'>,
): Phrase[] {
  const found = new Map<string, Phrase>()
  const terms = (words: AppTextWords['name']) => termsIn(words, stopWords, longestPhrase).filter(canStand)
  const roles = [...(own ? [own] : []), ...rivals, ...others]
  for (const app of roles) {
    for (const field of ['name', 'subtitle', 'description'] as const)
      for (const term of terms(app[field])) {
        const phrase = found.get(term.key) ?? newPhrase(term)
        found.set(term.key, phrase)
        phrase.developers.add(app.developer)
        if (field !== 'description') phrase.naming.add(app.developer)
        if (app === own) phrase.own[field] += term.count
        else if (!rivals.includes(app)) phrase.others.add(app.developer)
        else {
          if (field === 'name') phrase.inNames.add(app.app.storeId)
          if (field === 'subtitle') phrase.inSubtitles.add(app.app.storeId)
        }
      }
    for (const { key } of terms(app.head)) {
      const phrase = found.get(key)
      // If the app's own name has no clear brand part, its beginning is a description and no name.
      if (!phrase || (app === own && !app.headIsClear)) continue
      phrase.inHead = true
      phrase.isHead ||= app.headIsClear && key === fold(properPartOfName(app.app.name))
    }
    // A phrase that is nearly all of a name is a name, though its words say what the app does: "Football Heroes 2016".
    const whole = app.name.map(({ key }) => key).filter((key) => !empty(key) && !numeral.test(key))
    const named = found.get(whole.join(' '))
    if (named && whole.length > 1) named.isHead = true
    const called = app === own && app.headIsClear ? found.get(fold(properPartOfName(app.app.name))) : undefined
    if (called) called.isOwnHead = true
  }
  return [...found.values()]
}

const newPhrase = ({ term, key, words }: ListingTerm): Phrase => ({
  term,
  key,
  words,
  developers: new Set(),
  naming: new Set(),
  others: new Set(),
  inNames: new Set(),
  inSubtitles: new Set(),
  own: { name: 0, subtitle: 0, description: 0 },
  inHead: false,
  isHead: false,
  isOwnHead: false,
})

/**
 * Whether a phrase can stand alone: it neither begins nor ends with a number, a lone letter, praise or "app", and is not cut
 * in the middle.
 */
function canStand({ words, key }: ListingTerm): boolean {
  const ends = [words[0] ?? '', words.at(-1) ?? '']
  return (
    !isFragment(words) && !wordsOfPraise.has(key) && ends.every((word) => !numeral.test(word) && !empty(word))
  )
}

/** A word that begins with a digit, one without letters, or a lone Latin letter. */
const numeral = /^(?:\p{N}.*|[^\p{L}]+|\p{Script=Latin})$/u
const empty = (word: string) => wordsForApp.has(word) || wordsOfPraise.has(word)

/**
 * Removes phrases that hardly ever stand alone, such as "cycle" where it is nearly always "sleep cycle", and longer phrases
 * of only one developer where more developers use a part of them.
 */
export function withoutPartialPhrases(phrases: readonly Phrase[]): Phrase[] {
  const whole = new Map(phrases.map((phrase) => [phrase.words.join('\n'), phrase]))
  const absorbed = new Set<Phrase>()
  for (const longer of phrases)
    for (const words of partsOf(longer.words)) {
      const part = whole.get(words.join('\n'))
      const holders = part?.developers.size ?? 0
      if (part && holders > 1 && longer.developers.size >= (holders < many ? 1 : mostly) * holders)
        absorbed.add(part)
    }
  return phrases.filter((phrase) => !absorbed.has(phrase))
}

/** A part that fewer than `many` developers use goes when all of them use the whole; of more, when this share does. */
const mostly = 0.8
const many = 8

/** Every shorter run of consecutive words. */
function partsOf(words: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let size = 1; size < words.length; size++)
    for (let start = 0; start + size <= words.length; start++) parts.push(words.slice(start, start + size))
  return parts
}
