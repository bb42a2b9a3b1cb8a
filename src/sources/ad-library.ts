import type { AdSearch } from '../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { FetchedAnswer } from './polite/polite-source.ts'

/** One page of one search. */
export interface AdPageAsk {
  search: AdSearch
  /** The library's cursor from the previous page; null for the first page. */
  cursor: string | null
  /** Ads requested; a library may return more. */
  size: number
  /** Called for each request as it goes out. */
  onRequest: () => void
}

/** A library of paid ads that can be searched. */
export interface AdLibrary {
  /** Page sizes: the initial one, and the smallest that is worth a request. */
  pageSizes: { usual: number; least: number }
  /** Access tokens are removed from pages. @throws SourceFailure; `too-much` when a smaller page may succeed */
  page(ask: AdPageAsk, signal: AbortSignal): Promise<FetchedAnswer<ParsedPayload>>
}

/** The operator's credentials; a platform without one is not asked. */
export interface AdTokens {
  meta?: string
  tiktok?: { clientKey: string; clientSecret: string }
}

/** Removes secrets from text that is about to be stored or reported, also inside addresses. */
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
      // Secrets are plain ASCII, and Latin-1 preserves every byte.
      return Buffer.from(text(buffer.toString('latin1')), 'latin1')
    },
  }
}
