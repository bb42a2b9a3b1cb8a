import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import type { RawPayload } from './raw-payload.ts'

/** A format of payloads. */
export interface PayloadFormat {
  /** Whether a mapping can name its fields. */
  isMappable: boolean
  /**
   * Parses the payload. An unreadable record is rejected by itself.
   * @param from number of the first line or element in its file
   * @throws UnfitPayload when the payload as a whole is not what it should be, or not what was asked for
   */
  parse(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload
}
