import { heldUntil } from '../../domain/collecting/rate-limiter.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { FoundAdvertiser } from '../../sources/tiktok/library-client.ts'
import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { activeHold, patienceMs } from '../collecting/ask-now.ts'
import type { Collecting } from '../collecting/collecting.ts'
import { missingToken } from './missing-token.ts'

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
