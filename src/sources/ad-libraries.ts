import { scrubTokens } from '../ingest/ads/scrub-tokens.ts'
import { type AdLibrary, type AdTokens, without } from './ad-library.ts'
import { metaArchive } from './meta/archive-client.ts'
import { metaTrouble } from './meta/trouble.ts'
import { restMs } from './meta/usage.ts'
import type { Arrived, ToldTrouble } from './polite/exchange.ts'
import type { Pace } from './polite/pace.ts'
import { type Manners, politeSource, usualWaits, type Waits } from './polite/polite-source.ts'
import { retryAfterMs } from './polite/retry-after.ts'
import type { AdUpstream, SourcesSettings } from './settings.ts'
import { clientToken } from './tiktok/client-token.ts'
import { type TiktokLibrary, tiktokLibrary } from './tiktok/library-client.ts'
import { tiktokTrouble } from './tiktok/trouble.ts'

/** The ad libraries the operator has a credential for. */
export interface AdLibraries {
  meta?: AdLibrary
  tiktok?: TiktokLibrary
}

/** Credentials stay in here: they are in no answer, no failure and no message that leaves. */
export function adLibraries(
  settings: SourcesSettings,
  tokens: AdTokens,
  pace: Pace,
  waits: Waits = usualWaits,
): AdLibraries {
  const source = (name: AdUpstream, manners: Manners) =>
    politeSource(name, settings[name], manners, pace, waits)
  const libraries: AdLibraries = {}
  if (tokens.meta !== undefined) {
    const manners = { ...discreet(() => [tokens.meta ?? ''], metaTrouble), restAfter: restMs }
    libraries.meta = metaArchive(source('meta-ad-library', manners), settings.metaApiVersion, tokens.meta)
  }
  if (tokens.tiktok) {
    const { clientKey, clientSecret } = tokens.tiktok
    const lasting = [clientKey, clientSecret]
    const { troubleIn, forbiddenMeans } = discreet(() => lasting, tiktokTrouble)
    // Its answer is the secret, and is kept nowhere. It waits out holds, but takes no turn of the library's.
    const unpaced = { ...settings['tiktok-ad-library'], callsPerMinute: 0 }
    const giver = politeSource('tiktok-ad-library', unpaced, { forbiddenMeans, troubleIn }, pace, waits)
    const token = clientToken(giver, tokens.tiktok)
    const secrets = () => [...lasting, ...[token.current() ?? []].flat()]
    libraries.tiktok = tiktokLibrary(source('tiktok-ad-library', discreet(secrets, tiktokTrouble)), token)
  }
  return libraries
}

/** Manners that keep secrets out of answers and out of what is told of failures. */
function discreet(
  secrets: () => string[],
  troubleIn: (answer: Arrived) => ToldTrouble | undefined,
): Manners & Required<Pick<Manners, 'troubleIn' | 'clean'>> {
  return {
    forbiddenMeans: 'refused',
    // Meta puts the asker's token into addresses of its answers.
    clean: (bytes) => scrubTokens(without(secrets()).bytes(bytes)),
    troubleIn(answer) {
      const told = troubleIn(answer)
      if (!told) return undefined
      const asked =
        told.kind === 'throttled' ? retryAfterMs(answer.headers.get('retry-after'), new Date()) : undefined
      return {
        ...(asked === undefined ? {} : { retryAfterMs: asked }),
        ...told,
        message: without(secrets()).text(told.message),
      }
    },
  }
}
