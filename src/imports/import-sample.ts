import type { FormatName } from '../ingest/formats.ts'
import { parsePayload } from '../ingest/parse-payload.ts'
import type { ParsedInput } from '../ingest/parsed-input.ts'
import type { ReadingContext } from '../ingest/parsed-payload.ts'
import { storeReadings } from '../projections/store-readings.ts'
import type { Database } from '../storage/database.ts'

/** Synthetic evidence, in the format of its source. */
export interface MadeUpDocument {
  kind: 'catalogue' | 'charts' | 'search-results' | 'search-hints' | 'organic' | 'paid-ads'
  format: string
  country: string | null
  observedAt: string
  content: string
  /** The search term, or the typed prefix. */
  term?: string
  /** Places requested, for result pages. */
  requested?: number
}

const formatOf: Record<string, FormatName> = {
  'itunes-lookup': 'itunes-lookup',
  'itunes-search': 'itunes-search',
  'search-hints': 'search-hints',
  'apple-rss-v2': 'chart-feed',
  'apple-rss-legacy': 'chart-feed',
  'organic-file': 'organic-posts',
  'paid-ads-file': 'paid-ads',
}

const batchDocuments = 40

/** Stores synthetic documents in the same way as real ones, marked as samples. @returns how many readings were new */
export async function importSample(
  db: Database,
  documents: Iterable<MadeUpDocument>,
  onProgress: (done: number) => void,
): Promise<number> {
  let batch: ParsedInput[] = []
  let done = 0
  let fresh = 0
  const flush = async () => {
    fresh += (await storeReadings(db, batch)).filter(Boolean).length
    done += batch.length
    batch = []
    onProgress(done)
  }
  for (const document of documents) {
    batch.push(readDocument(document))
    if (batch.length >= batchDocuments) await flush()
  }
  if (batch.length > 0) await flush()
  return fresh
}

function readDocument({
  format: name,
  country,
  observedAt,
  content,
  term,
  requested,
}: MadeUpDocument): ParsedInput {
  const format = formatOf[name]
  if (!format) throw new Error(`No format is known for made-up ${name}.`)
  const bytes = Buffer.from(content)
  const context: ReadingContext = {
    layout: name.endsWith('-file') ? 'lines' : 'document',
    country,
    ...(term === undefined ? {} : { term }),
    ...(requested === undefined ? {} : { requested }),
  }
  return {
    bytes,
    format,
    context,
    origin: 'sample',
    country,
    observedAt: new Date(observedAt),
    timeBasis: 'payload',
    parsed: parsePayload(format, bytes, context),
  }
}
