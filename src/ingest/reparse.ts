import type { StoredReading } from '../domain/evidence/queries.ts'
import { type Reading, unpack } from '../domain/evidence/reading.ts'
import type { FormatName } from './formats.ts'
import { withoutLater } from './later-dates.ts'
import { parsePayload } from './parse-payload.ts'
import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import { UnfitPayload } from './unfit-payload.ts'

/** What today's parser finds in a stored payload; undefined when it refuses the payload as a whole. */
export async function reparse(
  stored: StoredReading,
): Promise<{ reading: Reading; parsed: ParsedPayload } | undefined> {
  const { content, ...reading } = stored
  try {
    const parsed = parsePayload(
      reading.format as FormatName,
      await unpack(content),
      reading.context as unknown as ReadingContext,
    )
    const read = { ...(reading as Reading), source: parsed.source }
    if (read.origin !== 'imported') return { reading: read, parsed }
    return { reading: read, parsed: withoutLater(parsed, read.observedAt, read.timeBasis) }
  } catch (error) {
    if (error instanceof UnfitPayload) return undefined
    throw error
  }
}
