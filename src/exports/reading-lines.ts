import { isUtf8 } from 'node:buffer'
import { type ExportedReading, exportedReadingsAfter } from '../domain/evidence/exported-reading.ts'
import { compressPayload, rawPayload } from '../domain/evidence/packed-payload.ts'
import { type ExportedKind, exportedFormats } from '../projections/projections.ts'
import type { Database } from '../storage/database.ts'

/** Readings held in memory at a time. */
const batchSize = 50
const batchBytes = 2 * 1024 * 1024

/** Longer payloads are exported compressed, so that every line stays within the limit of an import. */
const longestText = 1024 * 1024

/**
 * Stored answers and tables as JSON lines: each with source, storefront, time and origin, and the raw payload. An import
 * derives everything else again.
 */
export async function* readingLines(
  db: Database,
  kind: ExportedKind,
  onReadings: (count: number) => void,
): AsyncGenerator<string> {
  // A search whose term is unknown is not a result page.
  const wish = { formats: exportedFormats[kind], ofTerms: kind === 'result-pages' }
  let after: string | undefined
  for (;;) {
    const readings = await exportedReadingsAfter(db, wish, after, batchSize, batchBytes)
    for (const reading of readings) yield await lineOf(reading)
    onReadings(readings.length)
    after = readings.at(-1)?.readingId
    if (!after) return
  }
}

/** The identity comes first: lines are recognised by it. */
async function lineOf(reading: ExportedReading): Promise<string> {
  const { identity, content, dictionary, readingId: _, bytes, ...fields } = reading
  const payload = bytes <= longestText || dictionary ? await rawPayload({ content, dictionary }) : undefined
  const held =
    payload && bytes <= longestText && isUtf8(payload)
      ? { payload: Buffer.from(payload).toString('utf8') }
      : { packed: Buffer.from(payload ? (await compressPayload(payload)).content : content).toString('base64') }
  return `${JSON.stringify({ identity, ...fields, ...held })}\n`
}
