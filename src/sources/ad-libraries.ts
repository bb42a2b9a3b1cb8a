import { scrubTokens } from '../ingest/ads/scrub-tokens.ts'
import { type AdLibrary, type AdTokens, without } from './ad-library.ts'
import { metaArchive, metaFailure, restMs } from './meta/archive-client.ts'
import { type ReportedFailure, retryAfterMs, type UpstreamResponse } from './polite/exchange.ts'
import {
  politeSource,
  type RateLimiter,
  type UpstreamPolicy,
  usualWaits,
  type Waits,
} from './polite/polite-source.ts'
import type { AdUpstream, SourcesSettings } from './settings.ts'
import { clientToken, type TiktokLibrary, tiktokFailure, tiktokLibrary } from './tiktok/library-client.ts'

/** The ad libraries the operator has a credential for. */
export interface AdLibraries {
  meta?: AdLibrary
  tiktok?: TiktokLibrary
}

/** Credentials never leave this module: no answer, failure or message contains them. */
export function adLibraries(
  settings: SourcesSettings,
  tokens: AdTokens,
  rateLimiter: RateLimiter,
  waits: Waits = usualWaits,
): AdLibraries {
  const source = (name: AdUpstream, policy: UpstreamPolicy) =>
    politeSource(name, settings[name], policy, rateLimiter, waits)
  const libraries: AdLibraries = {}
  if (tokens.meta !== undefined) {
    const policy = { ...discreet(() => [tokens.meta ?? ''], metaFailure), restAfter: restMs }
    libraries.meta = metaArchive(source('meta-ad-library', policy), settings.metaApiVersion, tokens.meta)
  }
  if (tokens.tiktok) {
    const { clientKey, clientSecret } = tokens.tiktok
    const lasting = [clientKey, clientSecret]
    const { failureIn, forbiddenMeans } = discreet(() => lasting, tiktokFailure)
    // The response is the secret, and is not stored. The request waits out holds, but does not count against the rate limit.
    const unpaced = { ...settings['tiktok-ad-library'], callsPerMinute: 0 }
    const giver = politeSource(
      'tiktok-ad-library',
      unpaced,
      { forbiddenMeans, failureIn: failureIn },
      rateLimiter,
      waits,
    )
    const token = clientToken(giver, tokens.tiktok)
    const secrets = () => [...lasting, ...[token.current() ?? []].flat()]
    libraries.tiktok = tiktokLibrary(source('tiktok-ad-library', discreet(secrets, tiktokFailure)), token)
  }
  return libraries
}

/** Policies that remove secrets from answers and from reported failures. */
function discreet(
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
