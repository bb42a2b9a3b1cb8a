import { politeSource, type UpstreamPolicy, usualWaits, type Waits } from '../polite/polite-source.ts'
import type { RateLimiter } from '../polite/rate-limiter.ts'
import type { AppleUpstream, SourcesSettings } from '../settings.ts'
import { type AppPageClient, appPageClient } from './app-page-client.ts'
import { type ChartClient, chartClient } from './chart-client.ts'
import { type HintsClient, hintsClient } from './hints-client.ts'
import { type ItunesClient, itunesClient } from './itunes-client.ts'

/** All clients of Apple's services. */
export interface AppleClients extends ItunesClient, ChartClient, HintsClient, AppPageClient {}

/** Clients of the same upstream share its pace, circuit breakers and settings. */
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
 * The iTunes servers answer 403 without `Retry-After` when they are asked too often (observed by several clients of Search
 * and Lookup). On the web site and the marketing feeds a 403 has been observed to be permanent.
 */
const policy: Record<AppleUpstream, UpstreamPolicy> = {
  itunes: { forbiddenMeans: 'throttled' },
  'apple-rss': { forbiddenMeans: 'refused' },
  'apple-rss-legacy': { forbiddenMeans: 'throttled' },
  'apple-search-hints': { forbiddenMeans: 'throttled' },
  'app-store-page': { forbiddenMeans: 'refused' },
}
