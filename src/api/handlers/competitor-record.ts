import type { z } from 'zod'
import type { competitorOperations, competitorOperations as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { DataRequest as Shape } from '../../contract/shapes/competitors.ts'
import { addAppWorksOf } from '../../domain/add-app/add-app.ts'
import type { ChartPositionRow, StorefrontApp } from '../../domain/catalogue/app.ts'
import { genreName } from '../../domain/catalogue/genres.ts'
import { mergeUnchangedVersions } from '../../domain/catalogue/listing-versions.ts'
import { localizedHistories } from '../../domain/catalogue/localizations.ts'
import { mediaItems, mediaSets } from '../../domain/catalogue/media.ts'
import { observedAtOf, type RecordState } from '../../domain/catalogue/record.ts'
import { type StoredCompetitor, storedCompetitor } from '../../domain/competitor/stored-competitor.ts'
import type { DataRequest } from '../../domain/demand/queries.ts'
import { dataRequestsOf } from '../../domain/demand/queries.ts'
import { requestData } from '../../domain/demand/request-data.ts'
import type { NamedReading } from '../../domain/evidence/reading.ts'
import { fieldFact, notMeasured, rankFact } from '../../domain/facts/fact.ts'
import type { Database } from '../../storage/database.ts'
import type { DataKind } from '../../vocabulary/data-requests.ts'
import { listingFields } from '../../vocabulary/listing-fields.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import {
  type LocalizationCode,
  localizationOf,
  type StorefrontCode,
  storefrontCodes,
  supportedLocalizations,
} from '../../vocabulary/storefronts.ts'
import { unsearched } from '../aso-facts.ts'
import { availabilityShape } from '../availability.ts'
import { decodeCursor, encodeCursor, isTimePart, isUuidPart } from '../cursor.ts'
import {
  chartSources,
  type EvidenceShape,
  evidenceOf,
  evidenceShapes,
  issuesOfWork,
  recordSources,
  sourceIssues,
  termSources,
} from '../evidence.ts'
import { storeListing } from '../listing-facts.ts'
import { askedLanguage, localizationsShape, localizedApp } from '../localizations.ts'
import type { RestsEverywhere } from '../remembered-replies.ts'
import { competitorNotFound, intakeShape } from './add-app.ts'
import { evidenceOfEstimate, newestEstimatesShape } from './estimates.ts'

type Answer = Reply<(typeof competitorOperations)['get_competitor']>

/** Versions shown in a record; the ASO timeline shows all. */
const shownVersions = 100

/**
 * Everything stored about an app in a storefront, in one reply.
 * @param everywhere called where it shows more than the storefront
 * @throws Problem `competitor-not-found`
 */
export async function getCompetitor(
  db: Database,
  accountId: string,
  { storeId, country, language: asked }: Input<(typeof competitorOperations)['get_competitor']>,
  everywhere: RestsEverywhere,
): Promise<Answer> {
  const language = asked === undefined ? undefined : askedLanguage(asked, country)
  const [stored, trouble] = await Promise.all([
    storedCompetitor(db, accountId, storeId, country),
    sourceIssues(db, [...recordSources, ...chartSources], country, ['chart ']),
  ])
  if (!stored) throw await competitorNotFound(db, accountId, storeId, country)
  const { app, positions, estimates, parts, openRequests } = stored
  const { state } = app
  // Whether it is gone follows from when each storefront showed it last.
  if (app.isMissed) everywhere()
  return {
    ...storeListing(app),
    firstObservedAt: state?.record.firstObservedAt ?? null,
    lastObservedAt: state?.record.lastObservedAt ?? null,
    availability: availabilityShape(
      app,
      positions.flatMap(({ rank, capturedAt }) => (rank === null ? [] : [capturedAt])),
    ),
    listingHistory: state ? listingHistory(state) : [],
    localizations: localizationsShape(app),
    ...(language ? { localization: await localizationShape(db, app, language) } : {}),
    chartPositions: positions.map((position) => chartPosition(country as StorefrontCode, position)),
    estimates: newestEstimatesShape(estimates, parts.refresh === 'failed'),
    counts: {
      posts: storedCount(parts.posts),
      paidAds: storedCount(parts.ads, parts.librariesFail),
      keywords: storedCount(parts.keywords),
      media: mediaCount(app),
    },
    openDataRequests: openRequests.map(dataRequestShape),
    freshness: freshness(stored),
    trouble,
  }
}

/** The listing in one language: in the default one what the record says. */
async function localizationShape(
  db: Database,
  app: StorefrontApp,
  language: LocalizationCode,
): Promise<NonNullable<Answer['localization']>> {
  const { state, reason, isDefault, shown, evidence } = await localizedApp(db, app, language)
  const fact = (field: 'name' | 'subtitle' | 'description' | 'releaseNotes') =>
    state === 'absent' ? ({ state, evidence: 0 } as const) : fieldFact(shown?.record ?? reason, field)
  return {
    language,
    name: localizationOf(language).name,
    isDefault,
    supported: supportedLocalizations(app.country).includes(language),
    state,
    texts: {
      name: fact('name'),
      subtitle: fact('subtitle'),
      description: fact('description'),
      releaseNotes: fact('releaseNotes'),
    },
    history: shown
      ? listingHistory(shown).filter(({ field }) => isDefault || localizedHistories.has(field))
      : [],
    evidence: evidenceShapes(evidence, app.country),
  }
}

/** @param failed whether the last attempt to collect it failed */
const notCollected = (failed = false) => notMeasured(unsearched(failed))

/**
 * @param count null while nothing of the kind was ever collected
 * @param failed whether that is because the source fails
 */
const storedCount = (count: number | null, failed = false) =>
  count === null ? notCollected(failed) : ({ state: 'measured', value: count } as const)

function listingHistory({ record, versions }: RecordState): Answer['listingHistory'] {
  return [...versions]
    .map(([field, seen]) => [field, mergeUnchangedVersions(field, seen)] as const)
    .filter(([, seen]) => seen.length > 1)
    .flatMap(([field, seen]) =>
      seen.map((version, index) => ({
        field: listingFields[field].history,
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

function chartPosition(country: StorefrontCode, position: ChartPositionRow): Answer['chartPositions'][number] {
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
  return { state: 'measured', value: mediaItems(state).length }
}

type Freshness = Answer['freshness'][number]

/** When each part was last observed. A part can be missing because the last attempt failed. */
function freshness({ app, positions, estimates, parts, newest }: StoredCompetitor): Freshness[] {
  const { country, state, failedChecks } = app
  const lookupFailed = failedChecks.has('lookup')
  // A page is only collected after a look-up has found the app.
  const pageFailed = failedChecks.has('page') || (!state && lookupFailed)
  const evidence = state?.record.evidence ?? []
  const media = evidence.find(({ fields }) => mediaSets.some(({ field }) => fields.includes(field)))
  const [charted] = positions.toSorted((one, other) => other.capturedAt.getTime() - one.capturedAt.getTime())
  const seen = (part: Freshness['part'], shown: EvidenceShape | undefined, failed = false): Freshness =>
    shown ? { state: 'measured', part, evidence: shown } : { part, ...notCollected(failed) }
  const asEvidence = (
    reading: (NamedReading & { observedAt: Date | string }) | undefined,
    of: string | null = country,
  ) => reading && evidenceOf(reading, reading.observedAt, of)
  return [
    seen('record', asEvidence(evidence[0]), lookupFailed),
    seen('similar', asEvidence(newest.similar), pageFailed),
    seen('organic', asEvidence(newest.organic, null)),
    seen('aso', asEvidence(newest.aso)),
    seen('estimates', evidenceOfEstimate(estimates[0], country), parts.refresh === 'failed'),
    seen('media', asEvidence(media), lookupFailed),
    seen('charts', charted && evidenceOf(charted, charted.capturedAt, country), parts.chartsFail),
  ]
}

type C = typeof contract

/** The sources that kinds of data come from; posts come in files, and estimates are computed. */
const sourcesOfKind: Record<DataKind, readonly SourceName[]> = {
  record: recordSources,
  media: recordSources,
  similar: ['app-store-page'],
  aso: termSources,
  charts: chartSources,
  organic: [],
  estimates: [],
}

export async function requestCompetitorData(
  db: Database,
  accountId: string,
  { storeId, country, kinds, note }: Input<C['request_competitor_data']>,
): Promise<Reply<C['request_competitor_data']>> {
  const { requests, created } = await requestData(db, { accountId, storeId, country, kinds, note })
  const sources = [...new Set(kinds.flatMap((kind) => sourcesOfKind[kind]))]
  const trouble = sources.length > 0 ? await issuesOfWork(db, sources, country) : []
  return { created, resource: { items: requests.map(dataRequestShape), trouble } }
}

export async function listDataRequests(
  db: Database,
  accountId: string,
  { storeId, status, kind, limit, cursor }: Input<C['list_competitor_data_requests']>,
): Promise<Reply<C['list_competitor_data_requests']>> {
  const list = ['list_competitor_data_requests', accountId, storeId, status, kind]
  const [lastRequestedAt, requestId] = decodeCursor(cursor, list, [isTimePart, isUuidPart]) ?? []
  const after = lastRequestedAt && requestId ? { lastRequestedAt, requestId } : undefined
  const [found, intakes] = await Promise.all([
    dataRequestsOf(db, accountId, storeId, { status, kind }, { limit: limit + 1, after }),
    addAppWorksOf(db, accountId, storeId, storefrontCodes),
  ])
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(dataRequestShape),
    nextCursor:
      last && found.length > limit
        ? encodeCursor([last.lastRequestedAt.toISOString(), last.requestId], list)
        : null,
    intakes: intakes.map(intakeShape),
  }
}

function dataRequestShape(request: DataRequest): z.output<typeof Shape> {
  return {
    ...request,
    platform: 'ios',
    country: request.country as StorefrontCode,
    firstRequestedAt: request.firstRequestedAt.toISOString(),
    lastRequestedAt: request.lastRequestedAt.toISOString(),
    closedAt: request.closedAt?.toISOString() ?? null,
  }
}
