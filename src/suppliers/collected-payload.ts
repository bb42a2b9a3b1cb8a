import type { ParsedPayload, ReadingContext } from '../ingest/parsed-payload.ts'
import type { FetchedAnswer, PoliteSource } from '../sources/polite/polite-source.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { type FormatName, isEmpty, parsePayload } from './formats.ts'

/** A request: the format of its answer, and the context of its parser. */
export interface Question {
  format: FormatName
  country: string
  context: ReadingContext
}

/** A valid answer: the bytes to store, and the parsed content. */
export interface CollectedPayload extends FetchedAnswer<ParsedPayload>, Question {
  source: SourceName
  /** A valid answer without content. Where there was content before, it is suspect, not a fact. */
  empty: boolean
}

/** @throws SourceFailure, also for an answer that its parser rejects; it then carries the bytes */
export async function collectPayload(
  upstream: PoliteSource,
  source: SourceName,
  { format, country, context }: Question,
  ask: { path: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<CollectedPayload> {
  const got = await upstream.get({
    ...ask,
    country,
    read: (bytes) => parsePayload(format, bytes, context),
  })
  return { ...got, source, format, country, context, empty: isEmpty(got.value) }
}
