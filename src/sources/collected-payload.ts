import type { FormatName } from '../ingest/formats.ts'
import { isEmpty, parsePayload } from '../ingest/parse-payload.ts'
import type { ParsedPayload, ReadingContext } from '../ingest/parsed-payload.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import type { FetchedAnswer, PoliteSource } from './polite/polite-source.ts'

/** What is asked for: the format of its answer, and what its parser must know. */
export interface Question {
  format: FormatName
  country: string
  context: ReadingContext
}

/** An answer that is what was asked for: the bytes to keep, and what they say. */
export interface CollectedPayload extends FetchedAnswer<ParsedPayload>, Question {
  source: SourceName
  /** The source answered well, and had nothing. Where it had something yesterday that is suspect, not a fact. */
  empty: boolean
}

/** @throws SourceFailure, also for an answer that its parser finds unfit, with its bytes */
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
