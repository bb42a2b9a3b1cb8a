import { normaliseTerm } from './keyword-term.ts'
import { unspacedScripts, wordRun } from './scripts.ts'
import { fold } from './search-terms.ts'
import { type Part, wholeWords } from './whole-words.ts'

/** A word of a listing as people would type it. */
export interface ListingWord {
  /** Normalised as keywords are. */
  text: string
  /** Without accents: the same for all spellings of the word. */
  key: string
  /** Between it and the word before: nothing, a space, or something that ends a phrase. */
  after: 'nothing' | 'space' | 'break'
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** Characters of a text that are read: Apple takes 4,000. */
const longestText = 10_000

/** Addresses say nothing of an app; a name such as "Booking.com" is none. */
const addresses = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,200}@[^\s@]{1,200}\.\w+|\b[\w.-]{1,200}\.\w{2,20}\/\S*/gu

/** Every address holds one of these. */
const mark = /[@/]|www\./

/**
 * The words of a text in their order, addresses left out. Scripts without spaces are split by the dictionary that the
 * runtime has, and what it cuts too often is put together.
 */
export function listingWords(text: string, country: string): ListingWord[] {
  return text
    .slice(0, longestText)
    .split(/[\r\n]+/)
    .flatMap((line) => (mark.test(line) ? line.replace(addresses, '\n').split('\n') : [line]))
    .flatMap((line) => wordsOfLine(normaliseTerm(line, country)))
}

function wordsOfLine(line: string): ListingWord[] {
  const words: ListingWord[] = []
  let end = -1
  for (const { 0: piece, index } of line.matchAll(wordRun)) {
    const gap = end === -1 ? 'break' : gapOf(line.slice(end, index))
    const parts = unspaced.test(piece) ? wholeWords(piece) : [{ text: piece, joins: true }]
    for (const [place, { text, joins }] of counted(parts).entries())
      words.push({ text, key: fold(text), after: place === 0 ? gap : joins ? 'nothing' : 'break' })
    end = index + piece.length
  }
  return words
}

/** What is counted, in Chinese and Japanese: "255万品" is no word for anything. */
const counter = /^[万萬千百億亿円元件人個个品回次分秒日月年位点點話话冊册曲食種种歳才倍割]/u

/** A number and what it counts are one. */
function counted(parts: readonly Part[]): readonly Part[] {
  if (parts.length === 1) return parts
  return parts.reduce<Part[]>((before, part) => {
    const last = before.at(-1)
    if (last && /^\p{N}+$/u.test(last.text) && counter.test(part.text)) last.text += part.text
    else before.push({ ...part })
    return before
  }, [])
}

function gapOf(between: string): ListingWord['after'] {
  if (between === '') return 'nothing'
  return between === ' ' || between === '-' ? 'space' : 'break'
}
