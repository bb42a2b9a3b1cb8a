import type { SourceName } from '../vocabulary/provenance.ts'
import type { Got } from './polite/polite-source.ts'

/** An answer that is what was asked for: the raw bytes to keep, and what they say. */
export interface SourceAnswer<Value> extends Got<Value> {
  source: SourceName
  country: string
  /** The source answered well, and had nothing. Where it had something yesterday that is suspect, not a fact. */
  empty: boolean
}
