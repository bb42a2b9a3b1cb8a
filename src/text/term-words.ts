import { pairs } from './search-terms.ts'
import { stemsOf } from './stems.ts'
import { wordsForApp, wordsOfPraise } from './stop-words.ts'

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
  const telling = stems.filter(({ text }) => !emptyStems(country).has(text))
  return new Set(
    (telling.length > 0 ? telling : stems).flatMap(({ kind, text }) => {
      const split = kind === 'run' ? pairs(text) : []
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
