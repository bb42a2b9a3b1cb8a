import type { SourceName } from '../vocabulary/provenance.ts'
import { type FormatName, formats } from './formats.ts'
import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import { RawPayload } from './raw-payload.ts'

/**
 * What a payload says: the one way from bytes to our words, for files, collected answers and replays alike.
 * @param payload one that somebody has looked into already keeps its document
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

/** What stands in the place of what a payload says that its parser found unfit, and that is kept all the same. */
export const unfitPayload = (source: SourceName, reason: string): ParsedPayload => ({
  source,
  sightings: [],
  charts: [],
  rejected: [{ position: 'answer', reason }],
  isUnfit: true,
  records: 1,
})

/** Whether there is nothing in a payload; what a search was not for is nothing too. */
export const isEmpty = ({ resultPage, records }: ParsedPayload): boolean =>
  resultPage ? resultPage.storeIds.length === 0 : records === 0
