import { type ListingWord, listingWords } from '../../../text/listing-words.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { stemsInLanguage } from '../../../text/stems.ts'
import { stopWordsOf } from '../../../text/stop-words.ts'
import type { OwnTexts } from './own-listing.ts'

/**
 * Which keywords the texts of a listing hold, by localization. Words combine within one localization only, as practitioners hold; Apple
 * documents neither that nor which localizations search reads.
 */

/** The texts that search reads (Apple: "Discovery on the App Store"). */
export const searchedFields = ['name', 'subtitle', 'keyword-field'] as const
export type SearchedField = (typeof searchedFields)[number]

/** How a localization holds a keyword; `likely` where a word stands there in another form, or as a part of a longer one. */
export type CoverageHow = 'one-field' | 'across-fields' | 'likely' | 'some-words'

/** `split`: all words are there, but in no localization together. */
export const coverageStandings = ['one-field', 'across-fields', 'likely', 'split', 'uncovered'] as const
export type CoverageStanding = (typeof coverageStandings)[number]

interface KeywordInLocalization {
  localization: string
  how: CoverageHow
  /** The fields that hold it, or a word of it. */
  fields: SearchedField[]
  /** Words that this localization does not hold, as they are typed. */
  missing: string[]
}

export interface CoveredKeyword {
  term: string
  standing: CoverageStanding
  /** The localizations that hold a word of it, in their order. */
  in: KeywordInLocalization[]
  /** Words that no localization holds. */
  missing: string[]
}

export interface RepeatedWord {
  word: string
  /** Whether one localization says it twice, or several say it once each. */
  where: 'one-localization' | 'several-localizations'
  places: { localization: string; field: SearchedField }[]
}

export interface KeywordCoverage {
  /** The uncovered first, then by the order of `coverageStandings` backwards, each in the order given. */
  keywords: CoveredKeyword[]
  /** Those within one localization first, then those in most places. */
  repeated: RepeatedWord[]
}

/**
 * The coverage of keywords in a storefront.
 * @param terms normalised
 * @param localizations those that the storefront supports and of which texts are known, in their order
 */
export function keywordCoverage(
  country: string,
  terms: readonly string[],
  localizations: readonly { code: string; texts: OwnTexts }[],
): KeywordCoverage {
  const read = localizations.map(({ code, texts }) => readTexts(code, texts, country))
  const keywords = terms.map((term) => coveredIn(term, listingWords(term, country), read))
  const place = ({ standing }: CoveredKeyword) => -coverageStandings.indexOf(standing)
  return { keywords: keywords.toSorted((one, other) => place(one) - place(other)), repeated: repeatedIn(read) }
}

/** The words of a field, for looking them up. */
interface FieldWords {
  field: SearchedField
  words: readonly ListingWord[]
  keys: ReadonlySet<string>
  /** Stretches of words without blanks between them, with the places where words begin and end. */
  runs: readonly { text: string; ends: ReadonlySet<number> }[]
}

interface ReadTexts {
  code: string
  fields: readonly FieldWords[]
  stopWords: ReadonlySet<string>
  /** The stem of a word in its language; '' for what has none. */
  stemOf: (word: string) => string
  /** Fields by the stems of their words. */
  stems: ReadonlyMap<string, ReadonlySet<SearchedField>>
  /** What was looked up before: keywords share their words. */
  held: Map<string, HeldWord>
}

function readTexts(code: string, texts: OwnTexts, country: string): ReadTexts {
  const language = code.split('-')[0] ?? ''
  const fields = searchedFields.flatMap((field): FieldWords[] => {
    const words = texts[field] ? listingWords(texts[field], country) : []
    return words.length === 0
      ? []
      : [{ field, words, keys: new Set(words.map(({ key }) => key)), runs: runsOf(words) }]
  })
  const known = new Map<string, string>()
  const stemOf = (word: string) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const stem = stemsInLanguage(word, language)[0]?.text ?? ''
    known.set(word, stem)
    return stem
  }
  const stems = new Map<string, Set<SearchedField>>()
  for (const { field, words } of fields)
    for (const { text } of words) {
      const stem = stemOf(text)
      stems.set(stem, (stems.get(stem) ?? new Set()).add(field))
    }
  return { code, fields, stopWords: stopWordsOf(language), stemOf, stems, held: new Map() }
}

function runsOf(words: readonly ListingWord[]): FieldWords['runs'] {
  const runs: { text: string; ends: Set<number> }[] = []
  for (const { key, after } of words) {
    const last = runs.at(-1)
    if (after === 'nothing' && last) {
      last.text += key
      last.ends.add(last.text.length)
    } else runs.push({ text: key, ends: new Set([0, key.length]) })
  }
  return runs.filter(({ text }) => joined.test(text))
}

/** Scripts in which a word has no blanks around it, or carries endings without a sign. */
const joined = new RegExp(`[${unspacedScripts}\\p{Script=Hangul}]`, 'u')

/** Whether a field holds a word: as a word of its own, or as a part of a longer one. */
function heldBy({ keys, runs }: FieldWords, word: string): 'exact' | 'inside' | undefined {
  if (keys.has(word)) return 'exact'
  if (!joined.test(word)) return undefined
  let found: 'inside' | undefined
  for (const { text, ends } of runs)
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      if (ends.has(at) && ends.has(at + word.length)) return 'exact'
      found = 'inside'
    }
  return found
}

interface HeldWord {
  text: string
  exact: SearchedField[]
  likely: SearchedField[]
}

function coveredIn(term: string, words: readonly ListingWord[], read: readonly ReadTexts[]): CoveredKeyword {
  const held = read.map((texts) => heldWords(words, texts))
  const found = held.flatMap((inIt, index): KeywordInLocalization[] => {
    const { code } = read[index] ?? {}
    return code !== undefined && inIt.some(isHeld) ? [howOf(inIt, code)] : []
  })
  const best = bests.find((one) => found.some(({ how }) => how === one))
  if (best) return { term, standing: best, in: found, missing: [] }
  // A word that is a stop word in each language is missed by none.
  const isSomewhere = new Map<string, boolean>()
  for (const word of held.flat()) isSomewhere.set(word.text, isSomewhere.get(word.text) || isHeld(word))
  const missing = [...isSomewhere].flatMap(([word, isThere]) => (isThere ? [] : [word]))
  const standing = missing.length === 0 && found.length > 0 ? 'split' : 'uncovered'
  return { term, standing, in: found, missing }
}

const bests = ['one-field', 'across-fields', 'likely'] as const

const isHeld = ({ exact, likely }: HeldWord) => exact.length + likely.length > 0

/** The words of a keyword without stop words of the language, unless there are no others. */
function wantedWords(words: readonly ListingWord[], { stopWords }: ReadTexts): readonly ListingWord[] {
  const wanted = words.filter(({ text }) => !stopWords.has(text))
  return wanted.length > 0 ? wanted : words
}

const heldWords = (words: readonly ListingWord[], texts: ReadTexts): HeldWord[] =>
  wantedWords(words, texts).map((word) => {
    const known = texts.held.get(word.text)
    if (known) return known
    const held = heldWord(word, texts)
    texts.held.set(word.text, held)
    return held
  })

function heldWord({ text, key }: ListingWord, { fields, stemOf, stems }: ReadTexts): HeldWord {
  const found = fields.map((field) => ({ field: field.field, how: heldBy(field, key) }))
  const of = (wanted: 'exact' | 'inside') => found.filter(({ how }) => how === wanted).map(({ field }) => field)
  const exact = of('exact')
  const stem = stemOf(text)
  const stemmed = stem === '' ? [] : [...(stems.get(stem) ?? [])]
  const likely = new Set([...of('inside'), ...stemmed].filter((field) => !exact.includes(field)))
  return { text, exact, likely: [...likely] }
}

/** How a localization holds words of which it holds at least one. */
function howOf(words: readonly HeldWord[], code: string): KeywordInLocalization {
  const together = searchedFields.filter((field) => words.every(({ exact }) => exact.includes(field)))
  if (together.length > 0) return { localization: code, how: 'one-field', fields: together, missing: [] }
  const missing = words.filter((word) => !isHeld(word)).map(({ text }) => text)
  const isExact = words.every(({ exact }) => exact.length > 0)
  const fields = searchedFields.filter((field) =>
    words.some(({ exact, likely }) => (exact.length > 0 ? exact : likely).includes(field)),
  )
  const how = missing.length > 0 ? 'some-words' : isExact ? 'across-fields' : 'likely'
  return { localization: code, how, fields, missing }
}

/** The words that are said more than once, without stop words and single letters. */
function repeatedIn(read: readonly ReadTexts[]): RepeatedWord[] {
  const places = new Map<string, { word: string; places: RepeatedWord['places'] }>()
  for (const { code, fields, stopWords } of read)
    for (const { field, words } of fields)
      for (const { text, key } of words) {
        if (stopWords.has(text) || (key.length < 2 && !joined.test(key))) continue
        const known = places.get(key) ?? { word: text, places: [] }
        known.places.push({ localization: code, field })
        places.set(key, known)
      }
  return [...places.values()]
    .filter((one) => one.places.length > 1)
    .map((one): RepeatedWord => {
      const codes = one.places.map(({ localization }) => localization)
      return {
        ...one,
        where: new Set(codes).size < codes.length ? 'one-localization' : 'several-localizations',
      }
    })
    .toSorted(
      (one, other) =>
        Number(other.where === 'one-localization') - Number(one.where === 'one-localization') ||
        other.places.length - one.places.length ||
        (one.word < other.word ? -1 : 1),
    )
}
