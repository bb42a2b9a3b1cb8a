import { type FormatName, parsePayload } from '../../src/suppliers/formats.ts'
import type { ParsedInput } from '../../src/suppliers/parsed-input.ts'

/** A payload as if collected by this installation at a time, parsed and not stored. */
export function collected(
  format: FormatName,
  bytes: Uint8Array,
  asked: {
    country: string
    term?: string
    storeId?: string
    requested?: number
    storeIds?: string[]
    notFound?: true
  },
  observedAt: string,
): ParsedInput {
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
