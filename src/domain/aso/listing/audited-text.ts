import type { ListingTerm } from '../../../text/listing-terms.ts'
import type { ListingWord } from '../../../text/listing-words.ts'

/** A text of the listing with a limit set by Apple. */
export type TextField =
  | 'name'
  | 'subtitle'
  | 'keyword-field'
  | 'promotional-text'
  | 'description'
  | 'release-notes'

/** How much of a text App Store Connect takes. */
export interface TextLimit {
  most: number
  /** Unicode code points, or bytes of UTF-8. */
  unit: 'characters' | 'bytes'
  /** Whether what is within it is taken for certain, or so far as is reported. */
  standing: 'sure' | 'reported'
  /** Who says so. */
  source: string
}

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
  limits: readonly [TextLimit, ...TextLimit[]]
  searched: boolean
  words: readonly ListingWord[]
  /** Most telling first, at most 50. */
  terms: readonly AuditedTerm[]
}

/** Words with a meaning for the audit, all without accents. */
export interface KnownWords {
  stopWords: ReadonlySet<string>
  /** Words of the developer's name. */
  developer: ReadonlySet<string>
  /** The same for one and many of a word. */
  stemOf: (word: string) => string
}
