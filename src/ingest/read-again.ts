import { unpack } from '../domain/evidence/payload.ts'
import type { StoredReading } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import type { FormatName } from './formats.ts'
import type { Harvest, ReadingContext } from './harvest.ts'
import { withoutLater } from './later-dates.ts'
import { parsePayload } from './parse-payload.ts'
import { UnfitPayload } from './unfit-payload.ts'

/** What today's reader finds in a stored payload; undefined when it refuses the payload as a whole. */
export async function readAgain(
  stored: StoredReading,
): Promise<{ reading: Reading; harvest: Harvest } | undefined> {
  const { content, ...reading } = stored
  try {
    const harvest = parsePayload(
      reading.format as FormatName,
      await unpack(content),
      reading.context as unknown as ReadingContext,
    )
    const read = { ...(reading as Reading), source: harvest.source }
    if (read.origin !== 'imported') return { reading: read, harvest }
    return { reading: read, harvest: withoutLater(harvest, read.observedAt, read.timeBasis) }
  } catch (error) {
    if (error instanceof UnfitPayload) return undefined
    throw error
  }
}
