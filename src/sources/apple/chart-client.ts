import { type ChartFeed, readChartFeed } from '../../ingest/apple/chart-feeds.ts'
import { readJson } from '../../ingest/json.ts'
import { UnfitAnswer } from '../../ingest/unfit-answer.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import type { ChartFeedChoice } from '../settings.ts'
import type { SourceAnswer } from '../source-answer.ts'

/** Apple's charts, best rank first. */
export interface ChartClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  chart(identity: ChartIdentity, signal: AbortSignal): Promise<SourceAnswer<ChartFeed>>
}

export interface ChartSources {
  v2: PoliteSource
  legacy: PoliteSource
  /** For charts that both feeds carry. */
  chartFeed: ChartFeedChoice
}

export function chartClient({ v2, legacy, chartFeed }: ChartSources): ChartClient {
  return {
    async chart(identity, signal) {
      storefrontOf(identity.country)
      const newer = chartFeed === 'v2' && isInV2(identity)
      const got = await (newer ? v2 : legacy).get({
        path: newer ? v2Path(identity) : legacyPath(identity),
        country: identity.country,
        headers: { accept: 'application/json' },
        read: (bytes) => readFeedOf(identity, bytes),
        signal,
      })
      return {
        ...got,
        source: newer ? 'apple-rss-v2' : 'apple-rss-legacy',
        country: identity.country,
        empty: got.value.entries.length === 0,
      }
    },
  }
}

/** The newer feed has no genres, no iPad and no grossing. */
export const isInV2 = ({ categoryId, device, kind }: ChartIdentity) =>
  categoryId === wholeStore && device === 'iphone' && kind !== 'top-grossing'

const wholeStore = 36

/** More than 100 apps are answered with an error. */
const v2Path = ({ country, kind }: ChartIdentity) => `/api/v2/${country}/apps/${kind}/100/apps.json`

/** 200 is asked for, though Apple has been seen to return 100 at most: how many came is the depth. */
function legacyPath({ country, kind, device, categoryId }: ChartIdentity): string {
  const feed = `${kind.replace('-', '')}${device === 'ipad' ? 'ipad' : ''}applications`
  const genre = categoryId === wholeStore ? '' : `/genre=${categoryId}`
  return `/${country}/rss/${feed}/limit=200${genre}/json`
}

/** A feed says which chart it is; one that was not asked for would be filed as the wrong chart. */
function readFeedOf(asked: ChartIdentity, bytes: Uint8Array): ChartFeed {
  const feed = readChartFeed(readJson(bytes))
  if ('reason' in feed) throw new UnfitAnswer('unexpected-shape', feed.reason)
  if (named(feed.identity) !== named(asked))
    throw new UnfitAnswer('unexpected-shape', `answers the chart ${named(feed.identity)} for ${named(asked)}`)
  return feed
}

const named = ({ country, kind, categoryId, device }: ChartIdentity) =>
  `${country} ${kind} ${categoryId} ${device}`
