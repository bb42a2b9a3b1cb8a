import {
  defaultWaits,
  politeSource,
  type RateLimiter,
  type WaitTimes,
} from '../sources/polite/polite-source.ts'
import type { SourcesSettings } from '../sources/settings.ts'
import {
  type AdPlatform,
  askedLibraryRow,
  askedPlatforms,
  libraryFormat,
  librarySource,
} from '../vocabulary/ad-platforms.ts'
import type { AdLibrary, AdTokens, LibraryParts } from './ad-library.ts'
import { parsePayload } from './formats.ts'
import { libraries } from './registry.ts'

/** The ad libraries that can be asked: those that answer everybody, and those the operator has a credential for. */
export type AdLibraries = { [Platform in AdPlatform]?: AdLibrary }

/** Credentials never leave the clients: no answer, failure or message contains them. */
export function adLibraries(
  settings: SourcesSettings,
  tokens: AdTokens,
  rateLimiter: RateLimiter,
  waits: WaitTimes = defaultWaits,
): AdLibraries {
  const opened: AdLibraries = {}
  for (const platform of askedPlatforms) {
    const name = librarySource(platform)
    const needsNone = askedLibraryRow(platform).variables.length === 0
    const credential = tokens[platform] ?? (needsNone ? [] : undefined)
    const source: LibraryParts['source'] = (policy, other = {}) =>
      politeSource(name, { ...settings[name], ...other }, policy, rateLimiter, waits)
    const read = (bytes: Uint8Array) =>
      parsePayload(libraryFormat(platform), bytes, { layout: 'document', country: null })
    if (credential) opened[platform] = libraries[platform].open({ credential, settings, read, source })
  }
  return opened
}
