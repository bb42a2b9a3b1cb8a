import type { FormatName } from '../../src/ingest/formats.ts'
import { parsePayload } from '../../src/ingest/parse-payload.ts'
import type { ReadPayload } from '../../src/ingest/read-payload.ts'

/** A payload as if this installation had collected it at a time, read and not stored. */
export function collected(
  format: FormatName,
  bytes: Uint8Array,
  asked: { country: string; term?: string; storeId?: string; requested?: number },
  observedAt: string,
): ReadPayload {
  const context = { layout: 'document' as const, ...asked }
  return {
    bytes,
    format,
    context,
    origin: 'collected',
    country: asked.country,
    observedAt: new Date(observedAt),
    timeBasis: 'clock',
    parsed: parsePayload(format, bytes, context),
  }
}
