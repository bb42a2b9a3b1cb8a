import type { Origin } from '../../../vocabulary/provenance.ts'

/** One place as a result page showed it. Null is carried and absent, undefined is not carried. */
export interface ShownPlace {
  storeId: string
  name: string
  rating?: number | null | undefined
  ratingCount?: number | null | undefined
  /** Release of the current version, RFC 3339. */
  updatedAt?: string | null | undefined
}

/** What one search for a term showed. */
export interface ResultPageReading {
  /** Normalised. */
  term: string
  country: string
  /** Best place first; null where Apple's entry could not be read. */
  places: readonly (ShownPlace | null)[]
  /** Places asked of Apple; null when nobody knows. */
  requested: number | null
  /** How many results the answer says it has, where that is not the length of its list; else null. */
  stated: number | null
  capturedAt: Date
  /** The storefront's own date. */
  day: string
  origin: Origin
  readingId: string
}
