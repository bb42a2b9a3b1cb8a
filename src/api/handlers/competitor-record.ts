import type { competitors } from '../../contract/competitors.ts'
import type { Reply } from '../../contract/operation.ts'
import { DataKind } from '../../contract/shapes/competitors.ts'
import { newestPageAbout, termsShowing } from '../../domain/aso/keywords/competitor-keyword-queries.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import { type PositionRow, positionsOfApp } from '../../domain/catalogue/app-queries.ts'
import { genreName, wholeStore } from '../../domain/catalogue/genres.ts'
import { type TrackedField, trackedFields } from '../../domain/catalogue/listing.ts'
import { mediaItems, mediaSets } from '../../domain/catalogue/media.ts'
import { observedAtOf, type RecordState } from '../../domain/catalogue/record.ts'
import { comparedVersions } from '../../domain/catalogue/same-value.ts'
import { similarListReading } from '../../domain/catalogue/similar-lists.ts'
import { failsToChart } from '../../domain/collecting/chart-attempts.ts'
import { countLinked } from '../../domain/creatives/kind-queries.ts'
import { requestsOf } from '../../domain/demand/queries.ts'
import { notMeasured, rankFact } from '../../domain/facts/fact.ts'
import { newestSightingOf } from '../../domain/organic/app-posts.ts'
import { postKind } from '../../domain/organic/post-kind.ts'
import { adKind } from '../../domain/paid-ads/ad-kind.ts'
import { failingSources } from '../../domain/paid-ads/coverage-queries.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { adSources } from '../ad-coverage.ts'
import { unsearched } from '../aso-facts.ts'
import { evidenceOf } from '../evidence.ts'
import { storeListing } from '../listing-facts.ts'
import { chartSources, recordSources, troubleBehind } from '../trouble.ts'
import { dataRequestShape } from './data-requests.ts'
import { newestEstimateFacts } from './estimates.ts'

type Answer = Reply<(typeof competitors)['get_competitor']>

/** Versions shown of a record; the ASO timeline shows all. */
const shownVersions = 100

/** A storefront has at most one request of each kind. */
const kindsOfData = DataKind.options.length

/** Everything stored about an app in a storefront, in one reply. */
export async function appRecord(db: Database, app: StorefrontApp, accountId: string): Promise<Answer> {
  const { storeId, country, state } = app
  const [
    positions,
    openRequests,
    similar,
    trouble,
    estimated,
    keywords,
    newestPage,
    posts,
    newestPost,
    paidAds,
    chartsFailed,
    adsFail,
  ] = await Promise.all([
    positionsOfApp(db, storeId, country),
    requestsOf(db, accountId, storeId, { country, status: 'open' }, { limit: kindsOfData }),
    similarListReading(db, storeId, country),
    troubleBehind(db, [...recordSources, ...chartSources], country, ['chart ']),
    newestEstimateFacts(db, accountId, { storeId, country }),
    termsShowing(db, storeId, country),
    newestPageAbout(db, storeId, country),
    countLinked(db, postKind, storeId),
    newestSightingOf(db, storeId),
    countLinked(db, adKind, storeId),
    failsToChart(db, country, [wholeStore, ...(state?.record.facts.categoryIds ?? [])]),
    failingSources(db, adSources),
  ])
  return {
    ...storeListing(app),
    firstObservedAt: state?.record.firstObservedAt ?? null,
    lastObservedAt: state?.record.lastObservedAt ?? null,
    listingHistory: state ? listingHistory(state) : [],
    chartPositions: positions.map((position) => chartPosition(country as StorefrontCode, position)),
    estimates: estimated.estimates,
    counts: {
      posts: storedCount(posts),
      paidAds: storedCount(paidAds, adsFail.length > 0),
      keywords: storedCount(keywords),
      media: mediaCount(app),
    },
    openDataRequests: openRequests.map(dataRequestShape),
    freshness: freshness(app, positions, { similar, newestPost, newestPage }, { estimated, chartsFailed }),
    trouble,
  }
}

/** @param failed whether the last try to collect it failed */
const notCollected = (failed = false) => notMeasured(unsearched(failed))

/**
 * @param count null while nothing of the kind was ever collected
 * @param failed whether that is so because the source fails
 */
const storedCount = (count: number | null, failed = false) =>
  count === null ? notCollected(failed) : ({ state: 'measured', value: count } as const)

function listingHistory({ record, versions }: RecordState): Answer['listingHistory'] {
  return [...versions]
    .map(([field, seen]) => [field, comparedVersions(field, seen)] as const)
    .filter(([, seen]) => seen.length > 1)
    .flatMap(([field, seen]) =>
      seen.map((version, index) => ({
        field: trackedFields[field as TrackedField],
        value: version.value,
        firstSeenAt: new Date(version.firstSeenAt).toISOString(),
        lastSeenAt:
          index === seen.length - 1
            ? (observedAtOf(record, field) ?? record.lastObservedAt)
            : new Date(version.lastSeenAt).toISOString(),
        current: index === seen.length - 1,
        comparison: version.comparison,
      })),
    )
    .sort((one, other) =>
      one.firstSeenAt < other.firstSeenAt ? 1 : one.firstSeenAt > other.firstSeenAt ? -1 : 0,
    )
    .slice(0, shownVersions)
}

function chartPosition(country: StorefrontCode, position: PositionRow): Answer['chartPositions'][number] {
  return {
    country,
    chart: position.kind,
    categoryId: String(position.categoryId),
    categoryName: genreName(position.categoryId) ?? `Genre ${position.categoryId}`,
    device: position.device,
    rank: rankFact(position.rank, position.returned),
    evidence: evidenceOf(position, position.capturedAt, country),
  }
}

function mediaCount({ state, failedChecks }: StorefrontApp): Answer['counts']['media'] {
  if (!state) return notCollected(failedChecks.has('lookup'))
  const looked = mediaSets.some(({ field }) => observedAtOf(state.record, field) !== undefined)
  if (!looked) return notMeasured('not-carried')
  return { state: 'measured', value: mediaItems(state).filter((item) => item.current).length }
}

function freshness(
  { country, state, failedChecks }: StorefrontApp,
  positions: readonly PositionRow[],
  {
    similar,
    newestPost,
    newestPage,
  }: {
    similar: Awaited<ReturnType<typeof similarListReading>>
    newestPost: Awaited<ReturnType<typeof newestSightingOf>>
    newestPage: Awaited<ReturnType<typeof newestPageAbout>>
  },
  {
    estimated,
    chartsFailed,
  }: { estimated: Awaited<ReturnType<typeof newestEstimateFacts>>; chartsFailed: boolean },
): Answer['freshness'] {
  const lookupFailed = failedChecks.has('lookup')
  // A page is read once the app was found.
  const pageFailed = failedChecks.has('page') || (!state && lookupFailed)
  const evidence = state?.record.evidence ?? []
  const [newest] = evidence
  const media = evidence.find((entry) => mediaSets.some(({ field }) => entry.fields.includes(field)))
  const charted = [...positions].sort((one, other) => other.capturedAt.getTime() - one.capturedAt.getTime())[0]
  return [
    newest
      ? { state: 'measured', part: 'record', evidence: evidenceOf(newest, newest.observedAt, country) }
      : { part: 'record', ...notCollected(lookupFailed) },
    similar
      ? {
          state: 'measured',
          part: 'similar',
          evidence: evidenceOf(similar, similar.observedAt, country),
        }
      : { part: 'similar', ...notCollected(pageFailed) },
    newestPost
      ? {
          state: 'measured',
          part: 'organic',
          evidence: evidenceOf(newestPost, newestPost.observedAt, null),
        }
      : { part: 'organic', ...notCollected() },
    newestPage
      ? {
          state: 'measured',
          part: 'aso',
          evidence: evidenceOf(newestPage, newestPage.observedAt, country),
        }
      : { part: 'aso', ...notCollected() },
    estimated.evidence
      ? { state: 'measured', part: 'estimates', evidence: estimated.evidence }
      : { part: 'estimates', ...notCollected(estimated.failed) },
    media
      ? { state: 'measured', part: 'media', evidence: evidenceOf(media, media.observedAt, country) }
      : { part: 'media', ...notCollected(lookupFailed) },
    charted
      ? {
          state: 'measured',
          part: 'charts',
          evidence: evidenceOf(charted, charted.capturedAt, country),
        }
      : { part: 'charts', ...notCollected(chartsFailed) },
  ]
}
