import { normaliseTerm } from './keyword-term.ts'
import { unspacedScripts, wordRun } from './scripts.ts'
import { fold } from './search-terms.ts'

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
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Characters of a text that are read: Apple takes 4,000. */
const longestText = 10_000

/** Addresses say nothing of an app; a name such as "Booking.com" is none. */
const addresses = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,200}@[^\s@]{1,200}\.\w+|\b[\w.-]{1,200}\.\w{2,20}\/\S*/gu

/**
 * The words of a text in their order, addresses left out. Scripts without spaces are split by the dictionary that the
 * runtime has.
 */
export function listingWords(text: string, country: string): ListingWord[] {
  return text
    .slice(0, longestText)
    .replace(addresses, '\n')
    .split(/[\r\n]+/)
    .flatMap((line) => wordsOfLine(normaliseTerm(line, country)))
}

function wordsOfLine(line: string): ListingWord[] {
  const words: ListingWord[] = []
  let end = -1
  for (const { 0: piece, index } of line.matchAll(wordRun)) {
    const gap = end === -1 ? 'break' : gapOf(line.slice(end, index))
    const parts = unspaced.test(piece) ? [...segmenter.segment(piece)].map(({ segment }) => segment) : [piece]
    for (const [place, part] of parts.entries())
      words.push({ text: part, key: fold(part), after: place === 0 ? gap : 'nothing' })
    end = index + piece.length
  }
  return words
}

function gapOf(between: string): ListingWord['after'] {
  if (between === '') return 'nothing'
  return between === ' ' || between === '-' ? 'space' : 'break'
}
