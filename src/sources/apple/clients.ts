import { politeSource, type UpstreamPolicy, usualWaits, type Waits } from '../polite/polite-source.ts'
import type { RateLimiter } from '../polite/rate-limiter.ts'
import type { AppleUpstream, SourcesSettings } from '../settings.ts'
import { type AppPageClient, appPageClient } from './app-page-client.ts'
import { type ChartClient, chartClient } from './chart-client.ts'
import { type HintsClient, hintsClient } from './hints-client.ts'
import { type ItunesClient, itunesClient } from './itunes-client.ts'

/** Everything of Apple's that is asked. */
export interface AppleClients extends ItunesClient, ChartClient, HintsClient, AppPageClient {}

/** The clients share what their upstreams share: pace, circuits, and the settings of the operator. */
export function appleClients(
  settings: SourcesSettings,
  rateLimiter: RateLimiter,
  waits: Waits = usualWaits,
): AppleClients {
  const source = (name: AppleUpstream) => politeSource(name, settings[name], policy[name], rateLimiter, waits)
  return {
    ...itunesClient(source('itunes')),
    ...chartClient({
      v2: source('apple-rss'),
      legacy: source('apple-rss-legacy'),
      chartFeed: settings.chartFeed,
    }),
    ...hintsClient(source('apple-search-hints')),
    ...appPageClient(source('app-store-page')),
  }
}

/**
 * The iTunes servers answer 403, without a word about waiting, when they are asked too often (seen by several clients of
 * Search and Lookup). On the web site and the marketing feeds 403 has been seen as a refusal that stays.
 */
const policy: Record<AppleUpstream, UpstreamPolicy> = {
  itunes: { forbiddenMeans: 'throttled' },
  'apple-rss': { forbiddenMeans: 'refused' },
  'apple-rss-legacy': { forbiddenMeans: 'throttled' },
  'apple-search-hints': { forbiddenMeans: 'throttled' },
  'app-store-page': { forbiddenMeans: 'refused' },
}
