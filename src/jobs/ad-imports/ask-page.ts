import type { AdSearch } from '../../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import type { AdLibrary } from '../../sources/ad-library.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

export interface PageAsk {
  search: AdSearch
  cursor: string | null
  /** Number of ads to request. */
  size: number
  onRequest: () => void
}

/** A page as the library returned it. */
export interface AskedPage {
  bytes: Uint8Array
  fetchedAt: Date
  parsed: ParsedPayload
  /** The page size the library accepted; null where it accepted the requested one. */
  reducedTo: number | null
}

/** Whether a smaller page may succeed. */
const isTooMuch = (error: unknown) =>
  error instanceof SourceFailure && (error.kind === 'too-much' || error.kind === 'too-large')

/** Requests a page; halves the page size while the library finds it too large, down to a minimum. */
export async function askPage(library: AdLibrary, ask: PageAsk, signal: AbortSignal): Promise<AskedPage> {
  const { least } = library.pageSizes
  for (let size = ask.size; ; size = Math.max(least, Math.floor(size / 2))) {
    try {
      const { bytes, fetchedAt, value } = await library.page({ ...ask, size }, signal)
      return { bytes, fetchedAt, parsed: value, reducedTo: size < ask.size ? size : null }
    } catch (error) {
      if (!isTooMuch(error) || size <= least) throw error
    }
  }
}

/** The format under which pages are stored, so that a replay parses them the same way. */
export const pageFormats = {
  meta: { format: 'meta-ads-archive', source: 'meta-ad-library' },
  tiktok: { format: 'tiktok-ad-query', source: 'tiktok-ad-library' },
} as const satisfies Record<AdPlatform, object>
