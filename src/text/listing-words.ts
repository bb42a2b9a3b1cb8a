import { normaliseTerm } from './keyword-term.ts'
import { unspacedScripts, wordRun } from './scripts.ts'
import { fold } from './search-terms.ts'
import { type Part, wholeWords } from './whole-words.ts'

/** A word of a listing in the form that people would type. */
export interface ListingWord {
  /** Normalised like keywords. */
  text: string
  /** Without accents: the same for all spellings of the word. */
  key: string
  /** Separator from the word before: nothing, a space, or the end of a phrase. */
  after: 'nothing' | 'space' | 'break'
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** Most characters of a text that are read: Apple allows 4,000. */
const longestText = 10_000

/** Addresses do not describe an app; a name such as "Booking.com" is not one. */
const addresses = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,200}@[^\s@]{1,200}\.\w+|\b[\w.-]{1,200}\.\w{2,20}\/\S*/gu

/** Every address holds one of these. */
const mark = /[@/]|www\./

/**
 * The words of a text in their order, without addresses. Scripts without spaces are split by the dictionary of the runtime,
 * and wrongly split words are joined again.
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

/** Chinese and Japanese counters: "255万品" is not a keyword. */
const counter = /^[万萬千百億亿円元件人個个品回次分秒日月年位点點話话冊册曲食種种歳才倍割]/u

/** Joins a number and its counter. */
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
