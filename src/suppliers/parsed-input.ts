import type { ProvidedBy } from '../domain/evidence/reading.ts'
import type { ParsedPayload, ReadingContext } from '../ingest/parsed-payload.ts'
import type { Origin, TimeBasis } from '../vocabulary/provenance.ts'
import type { FormatName } from './formats.ts'

/** A parsed payload, ready to be stored. */
export interface ParsedInput {
  /** Its identity in the store it was exported from, in hex. */
  identity?: string
  bytes: Uint8Array
  format: FormatName
  context: ReadingContext
  origin: Origin
  country: string | null
  observedAt: Date
  timeBasis: TimeBasis
  parsed: ParsedPayload
  /** The account that provided it. */
  broughtBy?: ProvidedBy
}
