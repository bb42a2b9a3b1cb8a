import { blanksBesideCommas } from '../../../text/comma-list.ts'
import { type ListingWord, listingWords } from '../../../text/listing-words.ts'
import { stopWordsOf, wordsForApp } from '../../../text/stop-words.ts'
import { type LocalizationCode, tongueOf } from '../../../vocabulary/storefronts.ts'
import type { SearchedField } from './keyword-coverage.ts'

/** Parts of the texts of one localization that win nothing in search. */
export interface WastedText {
  kind: 'repeated' | 'spaces' | 'empty' | 'short' | 'stop-word' | 'sign'
  /** Words or signs, each once; empty for `spaces` and `empty`. */
  what: string[]
  /** Of the keyword field, commas with them; null for what name and subtitle both say. */
  characters: number | null
  /** The same in bytes of UTF-8. */
  bytes: number | null
}

/** A word of one or two Latin letters, which Apple does not take. */
const isShort = (word: string) => /^\p{Script=Latin}{1,2}$/u.test(word)

const signs = /[#@!?*"“”;|/\\]/gu

/** What the texts of a localization waste: a word is told once, for the first reason of these. */
export function wastedIn(
  texts: Partial<Record<SearchedField, string>>,
  localization: LocalizationCode,
  country: string,
): WastedText[] {
  const stopWords = stopWordsOf(tongueOf(localization))
  const isStopWord = ({ text, key }: ListingWord) => stopWords.has(text) || wordsForApp.has(key)
  const { name = '', subtitle = '', 'keyword-field': keywords = '' } = texts
  const [inName, inSubtitle] = [name, subtitle].map((text) => listingWords(text, country))
  const keysOfSubtitle = new Set(inSubtitle?.map(({ key }) => key))
  const seen = new Set([...(inName ?? []), ...(inSubtitle ?? [])].map(({ key }) => key))
  const entries = keywords.split(',')
  const repeated: string[] = []
  const rest: ListingWord[] = []
  for (const word of entries.flatMap((entry) => listingWords(entry, country))) {
    if (seen.has(word.key)) repeated.push(word.text)
    else rest.push(word)
    seen.add(word.key)
  }
  const stops = rest.filter(isStopWord).map(({ text }) => text)
  const short = rest.filter((word) => isShort(word.text) && !isStopWord(word)).map(({ text }) => text)
  const holes = keywords === '' ? 0 : entries.filter((entry) => entry.trim() === '').length
  const blanks = blanksBesideCommas(keywords)
  const signsIn = keywords.match(signs) ?? []
  const twice = (inName ?? []).filter((word) => keysOfSubtitle.has(word.key) && !isStopWord(word))
  return [
    part('repeated', [...new Set(twice.map(({ text }) => text))], null),
    part('repeated', repeated, withCommas(repeated)),
    ...(blanks > 0 ? [part('spaces', [], ' '.repeat(blanks))] : []),
    ...(holes > 0 ? [part('empty', [], ','.repeat(holes))] : []),
    part('short', short, withCommas(short)),
    part('stop-word', stops, withCommas(stops)),
    part('sign', signsIn, signsIn.join('')),
  ].filter(({ what, kind }) => what.length > 0 || kind === 'spaces' || kind === 'empty')
}

const withCommas = (words: readonly string[]) => words.map((word) => `${word},`).join('')

const part = (kind: WastedText['kind'], what: readonly string[], used: string | null): WastedText => ({
  kind,
  what: [...new Set(what)],
  characters: used === null ? null : [...used].length,
  bytes: used === null ? null : Buffer.byteLength(used),
})
