import { politeSource, type RateLimiter, usualWaits, type Waits } from '../sources/polite/polite-source.ts'
import type { SourcesSettings } from '../sources/settings.ts'
import { type AdPlatform, adPlatforms, librarySource } from '../vocabulary/ad-platforms.ts'
import type { AdLibrary, AdTokens, LibraryParts } from './ad-library.ts'
import { openMetaLibrary } from './meta/archive-client.ts'
import { openTiktokLibrary } from './tiktok/library-client.ts'

const clients: Record<AdPlatform, (parts: LibraryParts) => AdLibrary> = {
  meta: openMetaLibrary,
  tiktok: openTiktokLibrary,
}

/** The ad libraries the operator has a credential for. */
export type AdLibraries = { [Platform in AdPlatform]?: AdLibrary }

/** Credentials never leave the clients: no answer, failure or message contains them. */
export function adLibraries(
  settings: SourcesSettings,
  tokens: AdTokens,
  rateLimiter: RateLimiter,
  waits: Waits = usualWaits,
): AdLibraries {
  const libraries: AdLibraries = {}
  for (const platform of adPlatforms) {
    const name = librarySource(platform)
    const credential = tokens[platform]
    const source: LibraryParts['source'] = (policy, other = {}) =>
      politeSource(name, { ...settings[name], ...other }, policy, rateLimiter, waits)
    if (credential) libraries[platform] = clients[platform]({ credential, settings, source })
  }
  return libraries
}
