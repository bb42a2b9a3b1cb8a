import { letterPairs, type Token } from './search-terms.ts'
import { type StemmedWord, significantWords, stemmedWordsOf, stemsOf } from './stems.ts'
import { wordsForApp, wordsOfPraise } from './stop-words.ts'

/**
 * How a name contains a term, ignoring order and number: `name` where the term is the whole name, or all of it before a
 * separator such as a colon or a dash; `beginning` where the name begins with it.
 */
export type StemmedMatch = 'name' | 'beginning' | 'together' | 'all-words' | 'some-words' | 'none'

/** Separates the first part of a name. */
const parting = /[:|([{,·•・：、，（【「]|\s[-–—]+\s|[–—]/u

/**
 * Matches a term against names. Ignores singular and plural, word order, and stop words that only the name has. Stop words
 * of the term may be missing in the name beside others, but `name` and `beginning` need all of them.
 */
export function stemmedMatchesOf(term: string, country: string): (name: string) => StemmedMatch {
  const words = stemmedWordsOf(term, country)
  const [asked, wanted] = [words.map(({ token }) => token), significantWords(words)]
  return (name) => {
    const head = name.split(parting, 1)[0] ?? ''
    const texts = [stemmedWordsOf(name, country), stemmedWordsOf(head, country)] as const
    const whole = matchOf(asked, texts)
    if (asked.length === wanted.length || !(whole === 'none' || whole === 'some-words')) return whole
    const without = matchOf(wanted, texts)
    return without === 'name' || without === 'beginning' ? 'together' : without
  }
}

type Texts = readonly [name: readonly StemmedWord[], head: readonly StemmedWord[]]

function matchOf(wanted: readonly Token[], texts: Texts): StemmedMatch {
  const whole = key(wanted)
  // A word of the term is significant, even if it is a stop word otherwise.
  const asked = new Set(wanted.map(({ text }) => text))
  const [held, head] = [significantWords(texts[0], asked), significantWords(texts[1], asked)]
  if (wanted.length === 0 || held.length === 0) return 'none'
  if (key(held) === whole || key(head) === whole) return 'name'
  if (key(held.slice(0, wanted.length)) === whole) return 'beginning'
  const found = wanted.filter((one) => held.some((other) => holds(other, one)))
  if (found.length === 0) return 'none'
  if (found.length < wanted.length) return 'some-words'
  const isTogether = held.some((_, start) => {
    const stretch = held.slice(start, start + wanted.length)
    return wanted.every((one) => stretch.some((other) => holds(other, one)))
  })
  return isTogether ? 'together' : 'all-words'
}

const key = (words: readonly Token[]) =>
  words
    .map(({ text }) => text)
    .sort()
    .join(' ')

/** Runs of unspaced script may match anywhere inside others, since they have no word boundaries. */
const holds = (held: Token, wanted: Token) =>
  held.text === wanted.text || (wanted.kind === 'run' && held.kind === 'run' && held.text.includes(wanted.text))

const empty = new Map<string, ReadonlySet<string>>()

/** Stems that occur with apps of every kind, such as "app", "free" and "best". */
function emptyStems(country: string): ReadonlySet<string> {
  const before = empty.get(country)
  if (before) return before
  const stems = new Set(
    [...wordsForApp, ...wordsOfPraise].flatMap((word) => stemsOf(word, country).map(({ text }) => text)),
  )
  empty.set(country, stems)
  return stems
}

/**
 * The words by which terms are compared: stems of the storefront's language, and pairs of letters of scripts without spaces.
 * Without stop words, praise and "app", unless there are no others.
 */
export function termWords(term: string, country: string): Set<string> {
  const stems = stemsOf(term, country)
  const significantWords = stems.filter(({ text }) => !emptyStems(country).has(text))
  return new Set(
    (significantWords.length > 0 ? significantWords : stems).flatMap(({ kind, text }) => {
      const split = kind === 'run' ? letterPairs(text) : []
      return split.length > 0 ? split : [text]
    }),
  )
}

/** The visible common parts of two terms: words of the first with a shared stem, and stretches of unspaced script. */
export function sharedWords(term: string, other: string, country: string): string[] {
  const held = termWords(other, country)
  const pieces = term.split(/\s+/).flatMap((piece) => {
    const own = [...termWords(piece, country)]
    if (own.every((word) => !held.has(word))) return []
    return own.every((word) => held.has(word)) ? [piece] : [longestShared(piece, other)]
  })
  return [...new Set(pieces)]
}

/** Most letters of a word that are compared with another one. */
const lettersCompared = 40

/** The longest stretch of letters that both have. */
function longestShared(piece: string, other: string): string {
  const letters = [...piece].slice(0, lettersCompared)
  const stretches = letters.flatMap((_, from) =>
    letters.slice(from).map((__, more) => letters.slice(from, from + more + 1).join('')),
  )
  const [longest = piece] = stretches
    .filter((stretch) => other.includes(stretch))
    .sort((one, another) => another.length - one.length)
  return longest
}
