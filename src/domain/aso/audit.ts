import { genreName } from '../catalogue/genres.ts'
import type { Listing } from '../catalogue/listing.ts'
import { fold } from '../catalogue/search-terms.ts'
import type { WordCounts } from '../catalogue/word-weights.ts'
import { type Advice, adviceOn } from './audit-advice.ts'
import { type ListingTerm, termsIn } from './listing-terms.ts'
import { type ListingWord, listingWords } from './listing-words.ts'
import { tellingOf } from './scores/telling.ts'

/** A text of the listing with a limit set by Apple. */
export type TextField =
  | 'name'
  | 'subtitle'
  | 'keyword-field'
  | 'promotional-text'
  | 'description'
  | 'release-notes'

/**
 * The texts in the order of the store page, with what Apple's help for App Store Connect says of them ("App information",
 * "Platform version information"; "Discovery on the App Store" for what search reads): limits in characters, and whether
 * search reads the field. Where we keep it is null for what no reading carries.
 */
export const listingTexts: readonly {
  field: TextField
  limit: number
  searched: boolean
  stored: 'name' | 'subtitle' | 'description' | 'releaseNotes' | null
}[] = [
  { field: 'name', limit: 30, searched: true, stored: 'name' },
  { field: 'subtitle', limit: 30, searched: true, stored: 'subtitle' },
  { field: 'keyword-field', limit: 100, searched: true, stored: null },
  { field: 'promotional-text', limit: 170, searched: false, stored: null },
  { field: 'description', limit: 4000, searched: false, stored: 'description' },
  { field: 'release-notes', limit: 4000, searched: false, stored: 'releaseNotes' },
]

export interface AuditedTerm extends ListingTerm {
  /** 0 to 100; undefined when too few listings are stored. */
  telling: number | undefined
}

export interface AuditedText {
  field: TextField
  /** Null when there is none, undefined when nobody collected it. */
  text: string | null | undefined
  /** Unicode code points. */
  characters: number
  limit: number
  searched: boolean
  words: readonly ListingWord[]
  /** Most telling first, at most 50. */
  terms: readonly AuditedTerm[]
}

/** What there is to know before an audit. */
export interface AuditBasis {
  country: string
  /** Folded. */
  stopWords: ReadonlySet<string>
  counts: WordCounts
}

/** Terms of a text that are shown. */
const shownTerms = 50

/** What each text uses of its limit, which terms it holds, and what to do about it. Pure. */
export function auditOf(
  listing: Partial<Listing>,
  { country, stopWords, counts }: AuditBasis,
): { texts: AuditedText[]; advice: Advice[] } {
  const all = listingTexts.map(({ stored, ...rest }) => {
    const text = stored === null ? undefined : listing[stored]
    const words = text ? listingWords(text, country) : []
    const terms = termsIn(words, stopWords)
      .filter(({ words: size, count }) => size === 1 || count > 1 || rest.searched)
      .map((term) => ({ ...term, telling: tellingOf(term.term, counts) }))
    return { ...rest, text, characters: [...(text ?? '')].length, words, terms }
  })
  const advice = adviceOn(all, {
    stopWords,
    category: wordsOf(genreName(listing.primaryCategoryId ?? 0) ?? '', country),
    developer: wordsOf(listing.developer ?? '', country),
    heldByOthers: (key) => (counts.holding.get(key) ?? 1) > 1,
  })
  const texts = all.map((text) => ({
    ...text,
    terms: text.terms.toSorted(mostTelling).slice(0, shownTerms),
  }))
  return { texts, advice }
}

const mostTelling = (one: AuditedTerm, other: AuditedTerm) =>
  (other.telling ?? 0) - (one.telling ?? 0) || other.count - one.count

const wordsOf = (text: string, country: string) =>
  new Set(listingWords(text, country).map(({ key }) => fold(key)))
