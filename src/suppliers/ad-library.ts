import type { AdSearch } from '../domain/paid-ads/search-plan.ts'
import { scrubTokens } from '../ingest/ads/scrub-tokens.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import { type ReportedFailure, retryAfterMs, type UpstreamResponse } from '../sources/polite/exchange.ts'
import type { FetchedAnswer, PoliteSource, UpstreamPolicy } from '../sources/polite/polite-source.ts'
import type { SourceSettings, SourcesSettings } from '../sources/settings.ts'
import type { AdPlatform } from '../vocabulary/ad-platforms.ts'

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

/** An advertiser in the answer of a library. */
export interface FoundAdvertiser {
  advertiserId: string
  name: string
  /** Lower case; null where it is missing. */
  country: string | null
  /** It is an advertised app, and the id that of the app. */
  isApp?: boolean
}

/** What a library did to an advertiser or to its advertising. */
export interface FoundRestriction {
  /** As the library writes it, such as `ACTION_ADVERTISING_REMOVED`. */
  action: string
  /** `YYYY-MM-DD`. */
  on: string
  /** As the library writes them; null where they are missing. */
  reason: string | null
  basis: string | null
  details: string | null
  /** Null where the library does not say whom it is about. */
  advertiserId: string | null
}

/** A page of a search, as the library answers it. */
export interface LibraryPage {
  records: readonly unknown[]
  /** The cursor of the next page; null after the last. */
  nextPage: string | null
  /** How it differs from the known form, for people, where it can be read all the same. */
  differences?: readonly string[]
}

/** A library of paid ads that can be searched. */
export interface AdLibrary {
  /** Page sizes: the initial one, and the smallest that is worth a request. */
  pageSizes: { usual: number; least: number }
  /** Access tokens are removed from pages. @throws SourceFailure; `too-much` when a smaller page may succeed */
  page(ask: AdPageAsk, signal: AbortSignal): Promise<FetchedAnswer<ParsedPayload>>
  /** Advertisers that match a text, in the order of the library; left out if it has no search for them. */
  advertisers?(text: string, signal: AbortSignal): Promise<FoundAdvertiser[]>
  /** Restrictions of the last year, newest page only; left out if it tells none. */
  restrictions?(signal: AbortSignal): Promise<FoundRestriction[]>
}

/** The operator's credentials: the values of the variables in the platform's row. A platform without them is not asked. */
export type AdTokens = { readonly [Platform in AdPlatform]?: readonly string[] }

/** What the client of a library is opened with. */
export interface LibraryParts {
  credential: readonly string[]
  settings: SourcesSettings
  /** Reads a page by the library's format. @throws UnfitPayload */
  read(bytes: Uint8Array): ParsedPayload
  /** The library's upstream, with other settings than its own where they are named. */
  source(policy: UpstreamPolicy, other?: Partial<SourceSettings>): PoliteSource
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

/** Policies that remove secrets from answers and from reported failures. */
export function discreet(
  secrets: () => string[],
  failureIn: (answer: UpstreamResponse) => ReportedFailure | undefined,
): UpstreamPolicy & Required<Pick<UpstreamPolicy, 'failureIn' | 'clean'>> {
  return {
    forbiddenMeans: 'refused',
    // Meta puts the caller's token into addresses in its answers.
    clean: (bytes) => scrubTokens(without(secrets()).bytes(bytes)),
    failureIn(answer) {
      const reported = failureIn(answer)
      if (!reported) return undefined
      const asked =
        reported.kind === 'throttled' ? retryAfterMs(answer.headers.get('retry-after'), new Date()) : undefined
      return {
        ...(asked === undefined ? {} : { retryAfterMs: asked }),
        ...reported,
        message: without(secrets()).text(reported.message),
      }
    },
  }
}
