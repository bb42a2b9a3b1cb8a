import type { SourceName } from '../vocabulary/provenance.ts'
import { type FormatName, formats } from './formats.ts'
import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import { RawPayload } from './raw-payload.ts'

/**
 * Parses a payload: the one way from bytes to records, for files, collected answers and replays alike.
 * @param payload keeps its parsed document, so that it is parsed once
 * @param from number of the first line or element in its file
 * @throws UnfitPayload when the payload as a whole is not what it should be, or not what was asked for
 */
export function parsePayload(
  format: FormatName,
  payload: Uint8Array | RawPayload,
  context: ReadingContext,
  from = 1,
): ParsedPayload {
  const raw = payload instanceof RawPayload ? payload : new RawPayload(payload)
  return formats[format].parse(raw, context, from)
}

/** The result for a payload that its parser rejected and that is stored all the same. */
export const unfitPayload = (source: SourceName, reason: string): ParsedPayload => ({
  source,
  sightings: [],
  charts: [],
  rejected: [{ position: 'answer', reason }],
  isUnfit: true,
  records: 1,
})

/** Whether a payload is empty; records that the search was not for do not count. */
export const isEmpty = ({ resultPage, records }: ParsedPayload): boolean =>
  resultPage ? resultPage.storeIds.length === 0 : records === 0
