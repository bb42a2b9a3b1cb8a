import { legacyFeed } from '../../ingest/apple/chart-feeds.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import { type CollectedPayload, collectPayload } from '../collected-payload.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import type { ChartFeedChoice } from '../settings.ts'
import { chartQuestion } from './questions.ts'

/** Apple's charts, best rank first. */
export interface ChartClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  chart(identity: ChartIdentity, signal: AbortSignal): Promise<CollectedPayload>
}

export interface ChartSources {
  v2: PoliteSource
  legacy: PoliteSource
  /** The feed for charts that both feeds carry. */
  chartFeed: ChartFeedChoice
}

export function chartClient({ v2, legacy, chartFeed }: ChartSources): ChartClient {
  return {
    async chart(identity, signal) {
      storefrontOf(identity.country)
      const newer = chartFeed === 'v2' && isInV2(identity)
      const [upstream, source, path] = newer
        ? [v2, 'apple-rss-v2' as const, v2Path(identity)]
        : [legacy, 'apple-rss-legacy' as const, legacyPath(identity)]
      const headers = { accept: 'application/json' }
      return collectPayload(upstream, source, chartQuestion(identity), { path, headers, signal })
    },
  }
}

/** The newer feed has no genres, no iPad and not every chart. */
export const isInV2 = ({ categoryId, device, kind }: ChartIdentity) =>
  categoryId === wholeStore && device === 'iphone' && chartRow(kind).inNewerFeed === true

const wholeStore = 36

/** Requests for more than 100 apps fail. */
const v2Path = ({ country, kind }: ChartIdentity) => `/api/v2/${country}/apps/${kind}/100/apps.json`

/** 200 are requested, though Apple has been observed to return at most 100: the depth is the number returned. */
function legacyPath({ country, kind, device, categoryId }: ChartIdentity): string {
  const genre = categoryId === wholeStore ? '' : `/genre=${categoryId}`
  return `/${country}/rss/${legacyFeed(kind, device)}/limit=200${genre}/json`
}
