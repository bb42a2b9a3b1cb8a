import { sampleAppStoreAds } from './app-store-ads.ts'
import { sampleApps } from './apps.ts'
import type { Span } from './calendar.ts'
import { sampleCharts } from './charts.ts'
import type { SampleDocument, SamplePage, SampleSearch } from './document.ts'
import { sampleEvents } from './events.ts'
import { sampleHints } from './hints.ts'
import { sampleLocalizations } from './localizations.ts'
import { sampleLookups } from './lookups.ts'
import { samplePaidAds } from './paid-ads.ts'
import { samplePosts } from './posts.ts'
import { sampleSearches } from './searches.ts'

/**
 * All evidence of the demo, as files in the formats of the upstreams: 90 days of a synthetic App Store, up to and including
 * `until`. The catalogue comes first, so that charts, pages, posts and ads find their apps; within a kind, older files come
 * first. The same seed and day give the same bytes.
 */
export function* sampleEvidence(span: Span): Generator<SampleDocument | SampleSearch | SamplePage> {
  const apps = sampleApps(span)
  yield* sampleLookups(apps, span)
  yield* sampleLocalizations(apps, span)
  yield* sampleEvents(apps, span)
  yield* sampleCharts(apps, span)
  yield* sampleSearches(apps, span)
  yield* sampleHints(apps, span)
  yield* samplePosts(apps, span)
  yield* samplePaidAds(apps, span)
  yield* sampleAppStoreAds(apps, span)
}
