import type { ReadPayload } from '../../src/ingest/read-payload.ts'
import { type Format, readers } from '../../src/ingest/readers.ts'

/** A payload as if this installation had collected it at a time, read and not stored. */
export function collected(
  format: Format,
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
    harvest: readers[format](bytes, context, 1),
  }
}
