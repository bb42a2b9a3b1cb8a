import sideLines from '../data/side-lines.json' with { type: 'json' }
import { normaliseTerm } from './keyword-term.ts'
import { type PhraseRow, patternOfPhrase } from './phrase.ts'
import { unspacedScripts, wordRun } from './scripts.ts'
import { fold } from './search-terms.ts'

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
  // One ligature can be written out as eighteen letters.
  let left = longestText
  const writtenOut = (line: string) => {
    const words = normaliseTerm(line, country).slice(0, left)
    left -= words.length
    return words
  }
  return text
    .slice(0, longestText)
    .split(/[\r\n]+/)
    .flatMap((line) => (mark.test(line) ? line.replace(addresses, '\n').split('\n') : [line]))
    .flatMap((line) => wordsOfLine(writtenOut(line)))
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

/** A word of a text, or several adjacent ones. */
export interface ListingTerm {
  /** Normalised like keywords. */
  term: string
  /** Without accents. */
  key: string
  /** Folded. */
  words: readonly string[]
  /** Number of occurrences in the text. */
  count: number
}

/** One or two Hiragana alone are a suffix or half a word, as dictionaries split them. */
const fragment = /^\p{Script=Hiragana}{1,2}$/u

/**
 * The terms of a text, in the order of their first occurrence: its words and phrases of two adjacent words (or more),
 * without stop words, and without single letters, numbers and fragments.
 * @param stopWords looked up with words as they are written
 * @param longest most words of a term
 */
export function termsIn(
  words: readonly ListingWord[],
  stopWords: Pick<ReadonlySet<string>, 'has'>,
  longest = 2,
): ListingTerm[] {
  const found = new Map<string, ListingTerm>()
  const add = (term: string, key: string, from: number, size: number) => {
    const known = found.get(key)
    if (known) known.count++
    else {
      const parts = words.slice(from, from + size).map((word) => word.key)
      found.set(key, { term, key, words: parts, count: 1 })
    }
  }
  const means = ({ text }: ListingWord) => !stopWords.has(text)
  for (const [index, word] of words.entries()) {
    if (!means(word)) continue
    let [term, key] = [word.text, word.key]
    if (/\p{L}/u.test(key) && key.length > 1 && !fragment.test(key)) add(term, key, index, 1)
    for (let size = 2; size <= longest; size++) {
      const [last, next] = [words[index + size - 2], words[index + size - 1]]
      if (!last || !next || next.after === 'break' || !means(next)) break
      // "Vitamin C" is a phrase, "24 A" is not; single letters of unspaced script can be words.
      if (next.after === 'space' && ![last, next].some((one) => /\p{L}{2}/u.test(one.key))) break
      const space = next.after === 'space' ? ' ' : ''
      term += space + next.text
      key += space + next.key
      if (/\p{L}/u.test(key)) add(term, key, index, size)
    }
  }
  return [...found.values()]
}

/**
 * A word of a script without spaces. The runtime's dictionary splits too often, since it does not know most words in
 * Hiragana, short ones in Katakana, and Chinese words of two letters that are words alone too: such pieces are joined again.
 */
interface Part {
  text: string
  /** Whether a phrase may continue across the boundary before it. */
  joins: boolean
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

const hiragana = /^\p{Script=Hiragana}+$/u
const katakana = /^[\p{Script=Katakana}ー]+$/u
const han = /^\p{Script=Han}+$/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Shorter Katakana is rarely a word. */
const shortestKatakana = 3

/** Hiragana that stand between words, or end one, and never begin the next. */
const particles = new Set(
  'の を が に は と で も や へ か な ね よ し て た から まで より だけ ほど など なら って です ます する した して できる ある いる なる これ それ あなた みんな'.split(
    ' ',
  ),
)
/** Chinese characters that are words alone and never part of another. */
const functionLetters = new Set('的了和与及在是也都就把被让给对从到等我你您他她它们这那每将更无不'.split(''))
/** Characters that end words and are wrongly split from them. */
const endings = new Set('簿帳帐器力性者化機机系局店館馆室券版表歴历録录員员圏圈症型術术族'.split(''))

/** The words of a run of a script without spaces. */
function wholeWords(run: string): Part[] {
  const japanese = kana.test(run)
  const joined: string[] = []
  for (const { segment } of segmenter.segment(run)) {
    const before = joined.at(-1)
    if (before !== undefined && belongTogether(before, segment)) joined[joined.length - 1] = before + segment
    else joined.push(segment)
  }
  const words = lettersTogether(joined)
  return words.map((text, index) => ({
    text,
    joins: japanese || !(isLetter(text) || (index > 0 && isLetter(words[index - 1] ?? ''))),
  }))
}

const isLetter = (text: string) => han.test(text) && [...text].length === 1

function belongTogether(before: string, next: string): boolean {
  if (hiragana.test(next) && !particles.has(next))
    return (hiragana.test(before) && !particles.has(before)) || (isLetter(before) && [...next].length === 1)
  if (katakana.test(before) && katakana.test(next))
    return Math.min([...before].length, [...next].length) < shortestKatakana
  return endings.has(next) && (han.test(before) || katakana.test(before)) && [...before].length > 1
}

/** Two or three adjacent single letters are one word; more of them are words of two. */
function lettersTogether(parts: readonly string[]): string[] {
  const words: string[] = []
  const letters: string[] = []
  const end = () => {
    while (letters.length > 0) words.push(letters.splice(0, letters.length === 3 ? 3 : 2).join(''))
  }
  for (const part of parts) {
    if (isLetter(part) && !functionLetters.has(part)) letters.push(part)
    else {
      end()
      words.push(part)
    }
  }
  end()
  return words
}

const patternsOf = (rows: readonly PhraseRow[]) => rows.map((row) => patternOfPhrase(row))

/** Phrases of lines about contracts, payments, addresses and accounts on networks, in many languages. */
const contracts = patternsOf(sideLines.contracts)
/** Voice actors with their roles, and battery use. */
const namesAndDevices = patternsOf(sideLines.namesAndDevices)
const address = /https?:|www\.|\b[\w.-]+\.(?:com|net|org|html)\b|[\w.]+@\w/i

/** Removes lines that do not describe the app: contracts, payments, addresses and "follow us". */
export const withoutLegalLines = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .filter((line) => ![address, ...contracts].some((pattern) => pattern.test(line)))
    .join('\n')

/** The same as `withoutLegalLines`, and also removes lines of names, or about the device. */
export const withoutSideLines = (text: string): string =>
  withoutLegalLines(text)
    .split('\n')
    .filter((line) => !namesAndDevices.some((pattern) => pattern.test(line)))
    .join('\n')
