import type { Origin } from '../../../vocabulary/provenance.ts'

/** One place as shown on a result page. Null is carried and absent, undefined is not carried. */
export interface ShownPlace {
  storeId: string
  name: string
  rating?: number | null | undefined
  ratingCount?: number | null | undefined
  /** Release of the current version, RFC 3339. */
  updatedAt?: string | null | undefined
}

/** The result page of one search for a term. */
export interface ResultPageReading {
  /** Normalised. */
  term: string
  country: string
  /** Best place first; null where Apple's entry could not be read. */
  places: readonly (ShownPlace | null)[]
  /** Places requested from Apple; null when unknown. */
  requested: number | null
  /** The number of results stated in the answer, where that differs from the length of its list; otherwise null. */
  stated: number | null
  capturedAt: Date
  /** Storefront date. */
  day: string
  origin: Origin
  readingId: string
}
