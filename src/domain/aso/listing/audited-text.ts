import type { ListingTerm, ListingWord } from '../../../text/listing-words.ts'

/** A text of the listing with a limit set by Apple. */
export type TextField =
  | 'name'
  | 'subtitle'
  | 'keyword-field'
  | 'promotional-text'
  | 'description'
  | 'release-notes'

/** The maximum length of a text in App Store Connect. */
export interface TextLimit {
  most: number
  /** Unicode code points, or bytes of UTF-8. */
  unit: 'characters' | 'bytes'
  /** Whether texts within the limit are certain to be accepted, or only reported to be. */
  standing: 'sure' | 'reported'
  /** The source of the limit. */
  source: string
}

export interface AuditedTerm extends ListingTerm {
  /** 0 to 100; undefined when too few listings are stored. */
  specificity: number | undefined
}

export interface AuditedText {
  field: TextField
  /** Null when the listing has none, undefined when it was never collected. */
  text: string | null | undefined
  /** Unicode code points. */
  characters: number
  limits: readonly [TextLimit, ...TextLimit[]]
  searched: boolean
  words: readonly ListingWord[]
  /** Most specific first, at most 50. */
  terms: readonly AuditedTerm[]
}

/** Words with a special role in the audit, all without accents. */
export interface SpecialWords {
  stopWords: ReadonlySet<string>
  /** Words of the developer's name. */
  developer: ReadonlySet<string>
  /** The same stem for singular and plural. */
  stemOf: (word: string) => string
}

/**
 * The limits of the keyword field, the stricter first. Apple states both: its help for App Store Connect "100 bytes", its
 * page on product pages "100 characters". Fields of 100 characters and more bytes are reported to be accepted, and nobody
 * reports a field of 100 bytes to be refused.
 */
export const keywordFieldLimits = [
  {
    most: 100,
    unit: 'bytes',
    standing: 'sure',
    source: 'https://developer.apple.com/help/app-store-connect/reference/platform-version-information',
  },
  {
    most: 100,
    unit: 'characters',
    standing: 'reported',
    source: 'https://developer.apple.com/app-store/product-page/',
  },
] as const satisfies readonly TextLimit[]

/** The length of terms in the keyword field. */
export interface KeywordFieldUse {
  /** Including the commas between terms; bytes of UTF-8. */
  characters: number
  bytes: number
  /** The last terms, which are accepted only if the limit counts characters. */
  beyondBytes: string[]
}

/** The length of terms in the keyword field, in their order. */
export function keywordFieldUse(terms: readonly string[]): KeywordFieldUse {
  const [sure] = keywordFieldLimits
  const bytesOf = (some: readonly string[]) => Buffer.byteLength(some.join(','))
  return {
    characters: [...terms.join(',')].length,
    bytes: bytesOf(terms),
    beyondBytes: terms.filter((_, index) => bytesOf(terms.slice(0, index + 1)) > sure.most),
  }
}

/** Whether terms are within the larger reported limit of the keyword field. */
export const mayFitKeywordField = (terms: readonly string[]): boolean =>
  keywordFieldUse(terms).characters <= keywordFieldLimits[1].most
