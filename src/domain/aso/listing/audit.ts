import type { Database } from '../../../storage/database.ts'
import { termRefusalOf } from '../../../text/keyword-term.ts'
import { wordsWithMark } from '../../../text/known-names.ts'
import { languageOfListing } from '../../../text/language.ts'
import { listingWords, termsIn } from '../../../text/listing-words.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { stemsInLanguage } from '../../../text/stems.ts'
import { stopWordsOf, wordsForApp } from '../../../text/stop-words.ts'
import { type LocalizationCode, tongueOf } from '../../../vocabulary/storefronts.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { compareAppTexts } from '../keywords/compare-app-texts.ts'
import { isInOwnName, isProductName } from '../keywords/evidence.ts'
import type { Phrase } from '../keywords/phrases.ts'
import { minKeywordSpecificity, specificityOf, specificityWords } from '../scores/specificity.ts'
import { type ListingAdvice, listingAdvice } from './audit-advice.ts'
import {
  type AuditedTerm,
  type AuditedText,
  keywordFieldLimits,
  mayFitKeywordField,
  type SpecialWords,
  type TextField,
  type TextLimit,
} from './audited-text.ts'

const help = 'https://developer.apple.com/help/app-store-connect/reference/'
const appInformation = `${help}app-information`
const versionInformation = `${help}platform-version-information`

const charactersOf = (most: number, source: string): TextLimit => ({
  most,
  unit: 'characters',
  standing: 'sure',
  source,
})

/**
 * The texts in the order of the store page, with Apple's limits, the strictest first, and whether search reads them
 * ("Discovery on the App Store"). The stored field is null for a text that no reading carries.
 */
export const listingTexts: readonly {
  field: TextField
  limits: AuditedText['limits']
  searched: boolean
  stored: 'name' | 'subtitle' | 'description' | 'releaseNotes' | null
}[] = [
  { field: 'name', limits: [charactersOf(30, appInformation)], searched: true, stored: 'name' },
  { field: 'subtitle', limits: [charactersOf(30, appInformation)], searched: true, stored: 'subtitle' },
  { field: 'keyword-field', limits: keywordFieldLimits, searched: true, stored: null },
  { field: 'promotional-text', limits: [charactersOf(170, versionInformation)], searched: false, stored: null },
  {
    field: 'description',
    limits: [charactersOf(4000, versionInformation)],
    searched: false,
    stored: 'description',
  },
  {
    field: 'release-notes',
    limits: [charactersOf(4000, versionInformation)],
    searched: false,
    stored: 'releaseNotes',
  },
]

export interface ListingAudit {
  /** ISO 639-1; undefined when unclear. */
  language: string | undefined
  /** Stop words of that language, folded. */
  stopWords: ReadonlySet<string>
  /** In the order of the store page. */
  texts: AuditedText[]
  /** Most important first. */
  advice: ListingAdvice[]
}

/** Maximum terms shown of a text. */
const shownTerms = 50

/**
 * For each text of a listing the share of its limit that is used, the terms it holds, and advice.
 * @param remembered may return a cached value: untapped terms compare texts of other apps, which takes longer than all else
 * @param localization the language that the listing is in, where that is known
 */
export async function auditListing(
  db: Database,
  storeId: string,
  country: string,
  listing: Partial<Listing>,
  remembered = (make: () => Promise<string[]>) => make(),
  localization?: LocalizationCode,
): Promise<ListingAudit> {
  const language = localization ? tongueOf(localization) : await languageOfListing(listing)
  const stopWords = stopWordsOf(language)
  const read = listingTexts.map(({ stored, ...rest }) => {
    const text = stored === null ? undefined : listing[stored]
    const words = text ? listingWords(text, country) : []
    // Two words that are adjacent only once in a long text are rarely a phrase.
    const terms = termsIn(words, stopWords).filter(
      (term) => term.words.length === 1 || term.count > 1 || rest.searched,
    )
    return { ...rest, text, characters: [...(text ?? '')].length, words, terms }
  })
  const counts = await wordCounts(
    db,
    read.flatMap(({ terms }) => terms.flatMap(({ term }) => specificityWords(term))),
  )
  const weighed = read.map((text) => ({
    ...text,
    terms: text.terms.map((term) => ({ ...term, specificity: specificityOf(term.term, counts) })),
  }))
  const known: SpecialWords = {
    stopWords,
    developer: keysOf(listing.developer ?? '', country),
    stemOf: (word) => stemsInLanguage(word, language)[0]?.text ?? word,
  }
  const untapped = await remembered(() =>
    untappedTerms(db, storeId, country, listing, weighed, known, localization),
  )
  const advice = listingAdvice(weighed, known, untapped)
  const texts = weighed.map((text) => ({
    ...text,
    terms: text.terms.toSorted(bySpecificity).slice(0, shownTerms),
  }))
  return { language, stopWords, texts, advice }
}

const bySpecificity = (one: AuditedTerm, other: AuditedTerm) =>
  (other.specificity ?? 0) - (one.specificity ?? 0) || other.count - one.count

const keysOf = (text: string, country: string) => new Set(listingWords(text, country).map(({ key }) => key))

/** The terms of name and subtitle that could be keywords of the app, normalised. */
export function keywordsInTexts({ texts }: ListingAudit): string[] {
  const terms = texts
    .filter(({ field }) => field === 'name' || field === 'subtitle')
    .flatMap((text) => text.terms)
    .filter(({ key, specificity }) => !wordsForApp.has(key) && (specificity ?? 100) >= minKeywordSpecificity)
  return [...new Set(terms.map(({ term }) => term))].filter((term) => !termRefusalOf(term))
}

export const untappedTermsFormula = 'untapped-terms/1'

/**
 * Minimum over-representation of a term among similar apps, and maximum terms named. The threshold was fitted on judged
 * apps: docs/models/untapped-terms.md.
 */
const overRepresented = 30
const mostNamed = 5
/** A word in more than this share of the language's listings counts as a stop word, whether or not a list has it. */
const commonShare = 0.1
/** Maximum words of a term. */
const longestTerm = 2
/** The keyword field accepts words of more than two letters. */
const shortestWord = 3

/**
 * Terms of the description, of one or two words, that no searched text holds, strongest first. Similar apps use them far
 * more than others do, at least one in its name, and the keyword field would accept them. Brands of others, which Apple
 * refuses, and repeated words, also in singular and plural, are left out. None where too little is stored to compare with.
 */
async function untappedTerms(
  db: Database,
  storeId: string,
  country: string,
  listing: Partial<Listing>,
  texts: readonly AuditedText[],
  known: Pick<SpecialWords, 'developer' | 'stemOf'>,
  localization: LocalizationCode | undefined,
): Promise<string[]> {
  const { name, description } = listing
  if (!name || !description) return []
  const compared = await compareAppTexts(db, storeId, country, { ...listing, name }, [], localization)
  if (compared.developers === undefined) return []
  const used = new Set(
    texts.filter(({ searched }) => searched).flatMap((text) => text.words.map(({ key }) => known.stemOf(key))),
  )
  const marked = wordsWithMark(description)
  const stands = (word: string) =>
    !used.has(known.stemOf(word)) &&
    !known.developer.has(word) &&
    !compared.isBrand(word) &&
    !marked.has(word) &&
    compared.background.isRare(word, commonShare) &&
    (unspaced.test(word) || [...word].length >= shortestWord)
  const found = compared.phrases
    .filter(({ phrase, strength }) => isSaidAndNamed(phrase) && strength >= overRepresented)
    .filter(
      ({ phrase }) => !isInOwnName(phrase) && !isProductName(phrase) && phrase.words.length <= longestTerm,
    )
    .filter(({ phrase }) => phrase.words.every(stands))
    .toSorted(
      (one, other) =>
        other.strength - one.strength || other.phrase.own.description - one.phrase.own.description,
    )
  return fitting(
    found.map(({ phrase }) => phrase),
    known.stemOf,
  )
}

/** Names of similar apps hold what people search for; what only descriptions hold is prose. */
const isSaidAndNamed = ({ own, naming }: Phrase) => own.description > 0 && naming.size > 0

function fitting(
  found: readonly { term: string; words: readonly string[] }[],
  stemOf: SpecialWords['stemOf'],
): string[] {
  const [named, said]: [string[], Set<string>] = [[], new Set()]
  for (const { term, words } of found) {
    const stems = words.map(stemOf)
    if (
      named.length === mostNamed ||
      !mayFitKeywordField([...named, term]) ||
      stems.some((stem) => said.has(stem))
    )
      continue
    named.push(term)
    for (const stem of stems) said.add(stem)
  }
  return named
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
