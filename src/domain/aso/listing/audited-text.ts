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
  telling: number | undefined
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
export interface KnownWords {
  stopWords: ReadonlySet<string>
  /** Words of the developer's name. */
  developer: ReadonlySet<string>
  /** The same stem for singular and plural. */
  stemOf: (word: string) => string
}
