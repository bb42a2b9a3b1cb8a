import { heldUntil } from '../../domain/collecting/rate-limiter.ts'
import type { AdSearch } from '../../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { AdLibrary, FoundAdvertiser, FoundRestriction } from '../../suppliers/ad-library.ts'
import {
  type AdPlatform,
  type AskedPlatform,
  adLibraryRow,
  askedLibraryRow,
  isAsked,
  librarySource,
} from '../../vocabulary/ad-platforms.ts'
import { supplierRow } from '../../vocabulary/suppliers.ts'
import { activeHold, callerPatienceMs } from '../collecting/ask-while-waiting.ts'
import type { CollectingClients } from '../collecting/collecting.ts'

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

/** The message that names the variables an operator has to set before a library can be asked. */
export function missingToken(platform: AskedPlatform): string {
  const { library, credential, variables, asksOnlyIfTold } = askedLibraryRow(platform)
  return credential === undefined
    ? `The ${library} is not asked here.`
    : `The ${library} needs ${credential}: set ${variables.join(' and ')}${asksOnlyIfTold ? ' to yes' : ''}.`
}

/** Why there is nothing to ask at a platform whose ads come in files. */
export const filesOnly = (platform: AdPlatform): string =>
  `The ${adLibraryRow(platform).library} is not asked: its ads come in files, and in records.`

/** The outcome of asking one platform; the message is for people. */
export type AdvertiserLookup =
  | { outcome: 'answered'; advertisers: FoundAdvertiser[]; restrictions: FoundRestriction[] }
  | { outcome: 'not-configured' | 'cannot-be-asked' | 'failed' | 'timed-out' | 'throttled'; message: string }

/**
 * Asks a platform for advertisers while the caller waits; nothing is stored.
 * @param withRestrictions whether it is also asked for what it did to advertisers
 */
export async function lookUpAdvertisers(
  db: Database,
  { adLibraries, sources }: Pick<CollectingClients, 'adLibraries' | 'sources'>,
  platform: AdPlatform,
  text: string,
  withRestrictions = false,
  waitMs = callerPatienceMs,
): Promise<AdvertiserLookup> {
  if (!isAsked(platform)) return { outcome: 'cannot-be-asked', message: filesOnly(platform) }
  const { library, longestTerm, shortestText = 1, searchesAdvertisers } = askedLibraryRow(platform)
  const { label } = supplierRow(platform)
  const leftAlone = (until: Date) => ({
    outcome: 'throttled' as const,
    message: `${label} is left alone until ${until.toISOString()}.`,
  })
  if (!searchesAdvertisers)
    return { outcome: 'cannot-be-asked', message: `The ${library} API has no search for advertisers.` }
  const { advertisers } = adLibraries[platform] ?? {}
  if (!advertisers) return { outcome: 'not-configured', message: missingToken(platform) }
  if (longestTerm !== undefined && text.length > longestTerm)
    return { outcome: 'cannot-be-asked', message: `${label} takes at most ${longestTerm} characters.` }
  if (text.length < shortestText)
    return { outcome: 'cannot-be-asked', message: `${label} takes at least ${shortestText} characters.` }
  const { pace } = sources[librarySource(platform)]
  const held = await activeHold(db, pace)
  if (held) return leftAlone(held)
  const signal = AbortSignal.timeout(waitMs)
  try {
    const found = await advertisers(text, signal)
    const told = (withRestrictions && (await adLibraries[platform]?.restrictions?.(signal))) || []
    return { outcome: 'answered', advertisers: found, restrictions: told }
  } catch (error) {
    if (!(error instanceof SourceFailure) && error !== signal.reason) throw error
    const until = await heldUntil(db, pace)
    if (until) return leftAlone(until)
    return error instanceof SourceFailure
      ? { outcome: outcomeOf(error), message: `${error.message}.` }
      : { outcome: 'timed-out', message: `${label} did not answer within ${waitMs / 1000} seconds.` }
  }
}

function outcomeOf({ kind }: SourceFailure): 'failed' | 'timed-out' | 'throttled' {
  if (kind === 'timeout') return 'timed-out'
  return kind === 'throttled' ? kind : 'failed'
}
