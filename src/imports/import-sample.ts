import type { ReadingContext } from '../ingest/parsed-payload.ts'
import { storeReadings } from '../projections/store-readings.ts'
import type { Database } from '../storage/database.ts'
import { type FormatName, parsePayload } from '../suppliers/formats.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { Batches } from './batches.ts'

/** Synthetic evidence, in the format of its source. */
export interface SyntheticDocument {
  kind: 'catalogue' | 'charts' | 'search-results' | 'search-hints' | 'organic' | 'paid-ads'
  format: string
  country: string | null
  observedAt: string
  content: string
  /** The search term, or the typed prefix. */
  term?: string
  /** Places requested, for result pages. */
  requested?: number
  /** The app that a page shows, and the language that it was asked for in. */
  storeId?: string
  language?: string
}

const formatOf: Record<string, FormatName> = {
  'itunes-lookup': 'itunes-lookup',
  'itunes-search': 'itunes-search',
  'app-page': 'app-page',
  'app-store-search': 'app-store-search',
  'search-hints': 'search-hints',
  'apple-rss-v2': 'chart-feed',
  'apple-rss-legacy': 'chart-feed',
  'organic-file': 'organic-posts',
  'paid-ads-file': 'paid-ads',
}

/**
 * Stores synthetic documents as an import stores real ones, marked as samples. An interrupted run continues when it is
 * started again: stored documents are skipped.
 * @param onProgress called with the number stored after each batch
 * @throws Error where a record is refused, which is a defect of what made it
 * @returns how many readings were new
 */
export async function importSample(
  db: Database,
  documents: Iterable<SyntheticDocument>,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0
  let fresh = 0
  const store = new Batches(
    (payloads, turn) => storeReadings(db, payloads, turn),
    (batch, isNew) => {
      fresh += isNew.filter(Boolean).length
      done += batch.length
      onProgress(done)
    },
  )
  for (const document of documents) await store.add(readDocument(document))
  await store.end()
  return fresh
}

function readDocument({
  format: name,
  country,
  observedAt,
  content,
  term,
  requested,
  storeId,
  language,
}: SyntheticDocument): ParsedInput {
  const format = formatOf[name]
  if (!format) throw new Error(`No format is known for made-up ${name}.`)
  const bytes = Buffer.from(content)
  const context: ReadingContext = {
    layout: name.endsWith('-file') ? 'lines' : 'document',
    country,
    ...(term === undefined ? {} : { term }),
    ...(requested === undefined ? {} : { requested }),
    ...(storeId === undefined ? {} : { storeId }),
    ...(language === undefined ? {} : { language }),
  }
  const parsed = parsePayload(format, bytes, context)
  const [refused] = parsed.rejected
  if (refused) throw new Error(`A made-up record is refused: ${name}, ${refused.position}: ${refused.reason}`)
  return {
    bytes,
    format,
    context,
    origin: 'sample',
    country,
    observedAt: new Date(observedAt),
    timeBasis: 'payload',
    parsed,
  }
}
