import { heldUntil } from '../../domain/collecting/rate-limiter.ts'
import type { AdSearch } from '../../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import type { AdLibrary } from '../../sources/ad-library.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { FoundAdvertiser } from '../../sources/tiktok/library-client.ts'
import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { activeHold, patienceMs } from '../collecting/ask-now.ts'
import type { Collecting } from '../collecting/collecting.ts'

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

/** The message that names the variables an operator has to set before a library can be asked. */
export const missingToken = (platform: AdPlatform) =>
  platform === 'meta'
    ? 'The Meta Ad Library needs a token: set RIVALSCOPE_META_TOKEN.'
    : 'The TikTok ad library needs a client: set RIVALSCOPE_TIKTOK_CLIENT_KEY and RIVALSCOPE_TIKTOK_CLIENT_SECRET.'

/** The outcome of asking one platform; the message is for people. */
export type AdvertiserLookup =
  | { outcome: 'answered'; advertisers: FoundAdvertiser[] }
  | { outcome: 'not-configured' | 'cannot-be-asked' | 'failed' | 'timed-out' | 'throttled'; message: string }

/** Longest text TikTok accepts, in characters. Source: TikTok Commercial Content API, `advertiser/query`. */
const longestText = 50

/** Asks a platform for advertisers while the caller waits; nothing is stored. */
export async function lookUpAdvertisers(
  db: Database,
  { adLibraries, sources }: Pick<Collecting, 'adLibraries' | 'sources'>,
  platform: AdPlatform,
  text: string,
  waitMs = patienceMs,
): Promise<AdvertiserLookup> {
  if (platform === 'meta')
    return { outcome: 'cannot-be-asked', message: 'The Meta Ad Library API has no search for advertisers.' }
  if (!adLibraries.tiktok) return { outcome: 'not-configured', message: missingToken(platform) }
  if (text.length > longestText)
    return { outcome: 'cannot-be-asked', message: `TikTok takes at most ${longestText} characters.` }
  const held = await activeHold(db, sources['tiktok-ad-library'].pace)
  if (held) return leftAlone(held)
  const signal = AbortSignal.timeout(waitMs)
  try {
    return { outcome: 'answered', advertisers: await adLibraries.tiktok.advertisers(text, signal) }
  } catch (error) {
    if (!(error instanceof SourceFailure) && error !== signal.reason) throw error
    const until = await heldUntil(db, sources['tiktok-ad-library'].pace)
    if (until) return leftAlone(until)
    return error instanceof SourceFailure
      ? { outcome: outcomeOf(error), message: `${error.message}.` }
      : { outcome: 'timed-out', message: `TikTok did not answer within ${waitMs / 1000} seconds.` }
  }
}

const leftAlone = (until: Date) => ({
  outcome: 'throttled' as const,
  message: `TikTok is left alone until ${until.toISOString()}.`,
})

function outcomeOf({ kind }: SourceFailure): 'failed' | 'timed-out' | 'throttled' {
  if (kind === 'timeout') return 'timed-out'
  return kind === 'throttled' ? kind : 'failed'
}
