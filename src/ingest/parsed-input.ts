import type { BroughtBy } from '../domain/evidence/reading.ts'
import type { Origin, TimeBasis } from '../vocabulary/provenance.ts'
import type { FormatName } from './formats.ts'
import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'

/** A payload that was read, ready to be stored. */
export interface ParsedInput {
  /** The identity it has in the store it comes from, in hex: there it is known by it. */
  identity?: string
  bytes: Uint8Array
  format: FormatName
  context: ReadingContext
  origin: Origin
  country: string | null
  observedAt: Date
  timeBasis: TimeBasis
  parsed: ParsedPayload
  /** The account that brought it itself. */
  broughtBy?: BroughtBy
}
