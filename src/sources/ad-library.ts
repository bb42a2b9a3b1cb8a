import type { AdSearch } from '../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { FetchedAnswer } from './polite/polite-source.ts'

/** One page of one search. */
export interface AdPageAsk {
  search: AdSearch
  /** Where the page before ended, in the library's own words; null for the first. */
  cursor: string | null
  /** Ads requested; a library may answer more. */
  size: number
  /** Called for each request as it goes out. */
  onRequest: () => void
}

/** A library of paid ads that can be searched. */
export interface AdLibrary {
  /** Ads that can be asked for at once: where to begin, and how few are worth a request. */
  pageSizes: { usual: number; least: number }
  /** Pages are cleaned of access tokens. @throws SourceFailure; `too-much` when fewer ads at once may go well */
  page(ask: AdPageAsk, signal: AbortSignal): Promise<FetchedAnswer<ParsedPayload>>
}

/** What the operator proves himself with; a platform without is not asked. */
export interface AdTokens {
  meta?: string
  tiktok?: { clientKey: string; clientSecret: string }
}

/** Takes secrets out of what is about to be kept or told, also where an address holds them. */
export function without(secrets: readonly string[]): {
  text(text: string): string
  bytes(bytes: Uint8Array): Uint8Array
} {
  const forms = secrets.flatMap((secret) => [...new Set([secret, encodeURIComponent(secret)])])
  const text = (written: string) => forms.reduce((clean, form) => clean.replaceAll(form, '(removed)'), written)
  return {
    text,
    bytes(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (!forms.some((form) => buffer.includes(form))) return bytes
      // Secrets are plain ASCII, and Latin-1 gives every byte back as it was.
      return Buffer.from(text(buffer.toString('latin1')), 'latin1')
    },
  }
}
