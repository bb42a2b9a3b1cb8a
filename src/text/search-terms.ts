import letters from '../data/letters.json' with { type: 'json' }
import { foldIndian } from './indian-letters.ts'
import { normalForm, withoutIgnorable } from './normal-form.ts'
import { unspacedScripts, wordRun } from './scripts.ts'

/**
 * Splits texts into search terms. The database receives the terms and never splits text itself, so that every language is
 * split the same way on every engine and under every locale.
 */

/** Scripts written without spaces, or with long inflected words (Hangul): found by pairs of letters. */
const unspaced = new RegExp(String.raw`[${unspacedScripts}\p{Script=Hangul}]+`, 'gu')
/**
 * Removed marks: accents, the vowels and signs of Arabic with the hamza that alef, waw and yeh carry, its tatweel, and the
 * points of Hebrew, the nukta of Indian scripts and the addak of Gurmukhi. Marks of other scripts make other letters.
 */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0a71\u0abc\u0b3c\u0c3c\u0cbc]/g
/** Digits of every script, by the runtime's data: "१२" is 12. */
const digits = Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
  const ten = [...new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(1_234_567_890)]
  return ten.every((digit) => /\p{Nd}/u.test(digit))
    ? ten.map((digit, index) => [digit, `${(index + 1) % 10}`] as const)
    : []
})
/** Letters that are replaced by others, lower case, and digits. */
const written: ReadonlyMap<string, string> = new Map([...Object.entries(letters.written), ...digits])
const otherwiseWritten = new RegExp(
  `[${[...written.keys()].filter((letter) => !/[0-9]/.test(letter)).join('')}]`,
  'gu',
)
/** Matches most words of most texts, which need no folding. */
const folded = /^[a-z0-9]*$/
/** Longer words are cut: nobody types them in full, and the index has a limit. */
const longestWord = 40
/** Most code units of a text that are indexed: far more than any network or store allows. */
const longestText = 50_000

/**
 * The folded form in which words are compared: without case, width, accents, points and vowel signs, and with the letters
 * that people type whose keyboard has no others ("Straße" as "strasse", "Đọc" as "doc"). Shown texts stay as written. A
 * change needs the next `wordsVersion`.
 */
export function fold(text: string): string {
  if (folded.test(text)) return text
  const plain = withoutIgnorable(
    normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFD').replace(marks, ''),
  ).replace(otherwiseWritten, (letter) => written.get(letter) ?? letter)
  return normalForm(foldIndian(plain), 'NFC')
}

/** A word to search for, or a run of unspaced script, which is searched for by its pairs. */
export type Token = { kind: 'word'; text: string } | { kind: 'run'; text: string }

/** The tokens of a text in their order. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  for (const [piece] of withoutIgnorable(normalForm(text.slice(0, longestText), 'NFKC'))
    .slice(0, longestText)
    .matchAll(wordRun)) {
    if (plain.test(piece)) found.push(word(piece.toLowerCase()))
    else addFolded(fold(piece), found)
  }
  return found
}

/** A search text, parsed once. */
export interface ParsedSearchText {
  folded: string
  tokens: readonly Token[]
}

export const parseSearchText = (q: string): ParsedSearchText => ({ folded: fold(q).trim(), tokens: tokens(q) })

/** Matches most words of most listings, which only need lower case. */
const plain = /^[A-Za-z0-9]+$/

/** Folding can split a piece further, such as a fraction. */
function addFolded(folded: string, found: Token[]): void {
  for (const [piece] of folded.matchAll(wordRun)) {
    let end = 0
    for (const run of piece.matchAll(unspaced)) {
      if (run.index > end) found.push(word(piece.slice(end, run.index)))
      found.push({ kind: 'run', text: run[0] })
      end = run.index + run[0].length
    }
    if (end < piece.length) found.push(word(piece.slice(end)))
  }
}

function word(text: string): Token {
  return { kind: 'word', text: text.slice(0, longestWord) }
}

/** The terms under which a text is stored, without duplicates. */
export const storedTerms = (text: string): Set<string> => termsOfTokens(tokens(text))

/** The terms under which tokens are stored, without duplicates. */
export function termsOfTokens(found: readonly Token[]): Set<string> {
  const terms = new Set<string>()
  for (const token of found) {
    if (token.kind === 'word') terms.add(token.text)
    else for (const term of [...letterPairs(token.text), lastLetter(token.text)]) terms.add(term)
  }
  return terms
}

/** Most words of a name that are also stored joined to their neighbours, and most words of one joined term. */
const joinedWords = 12
const mostJoined = 3

/** Each two and three adjacent words of a name as one word: people write "candycrush" and "pacman". */
export function joinedNeighbours(name: string): string[] {
  const found = tokens(name).slice(0, joinedWords)
  const terms: string[] = []
  for (let start = 0; start < found.length; start++)
    for (let end = start + 2; end <= Math.min(start + mostJoined, found.length); end++) {
      const term = joinTokens(found.slice(start, end))
      if (term !== undefined) terms.push(term)
    }
  return terms
}

/** Two or three words as one; undefined for other numbers, and for runs of unspaced script, which have no word boundaries. */
export function joinTokens(some: readonly Token[]): string | undefined {
  if (some.length < 2 || some.length > mostJoined || some.some(({ kind }) => kind === 'run')) return undefined
  const text = some.map((token) => token.text).join('')
  return text.length > longestWord ? undefined : text
}

/** Neighbouring letters of a run: `楽天市場` gives `楽天`, `天市`, `市場`. */
export function letterPairs(run: string): string[] {
  const letters = [...run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Stored besides the pairs, so that a search for a single letter, as a prefix, finds it anywhere. */
function lastLetter(run: string): string {
  return [...run].at(-1) ?? ''
}
