import { Sources, type SourcesSettings, upstreams } from '../../src/sources/settings.ts'
import type { AdTokens } from '../../src/suppliers/ad-library.ts'
import type { Span } from '../calendar.ts'
import { madeUpStore } from '../upstream/made-up-store.ts'
import { openUpstream } from '../upstream/upstream.ts'

/** Fast enough not to be tedious, slow enough to watch. */
const callsPerMinute = 240

/** All upstreams of the demo: a server of its own on loopback, in place of Apple and the ad libraries. */
export async function openDemoSources(
  span: Span,
): Promise<AsyncDisposable & { sources: SourcesSettings; adTokens: AdTokens }> {
  const upstream = await openUpstream(madeUpStore(span, () => new Date()))
  const each = { baseUrl: upstream.url, callsPerMinute }
  return {
    sources: Sources.parse(Object.fromEntries(upstreams.map((name) => [name, each]))),
    adTokens: { meta: ['made-up'], tiktok: ['made-up', 'made-up'], snapchat: ['yes'] },
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  }
}
