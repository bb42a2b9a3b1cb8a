import type { z } from 'zod'
import type { competitorOperations } from '../../contract/competitors.ts'
import type { Reply } from '../../contract/operation.ts'
import type { CompetitorKeyword, ListingRatings } from '../../contract/shapes/aso.ts'
import { type AppKeyword, keywordsOfApp } from '../../domain/aso/keywords/competitor-keywords.ts'
import { auditListing, keywordsInTexts, type ListingAudit } from '../../domain/aso/listing/audit.ts'
import { listingTimeline } from '../../domain/aso/listing/listing-timeline.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import {
  newestRatings,
  type ObservedRating,
  observedDays,
  ratingGrowth,
} from '../../domain/catalogue/ratings.ts'
import type { RecordState } from '../../domain/catalogue/record.ts'
import { termSubject } from '../../domain/collecting/suspects.ts'
import { fieldFact, notMeasured } from '../../domain/facts/fact.ts'
import type { Database } from '../../storage/database.ts'
import { nameMatcher } from '../../text/known-names.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { difficultyScore, searchSurface, toldLately, unsearched, visibilityShape } from '../aso-facts.ts'
import { absenceShapes } from '../availability.ts'
import { evidenceOf, recordSources, sourceIssues } from '../evidence.ts'
import { keywordCoverageOf } from '../keyword-coverage.ts'
import { appReplyHeader, auditShape, changeShape, evidenceOfRecord, knownRecord } from '../listing-facts.ts'
import type { Replies } from '../remembered-replies.ts'
import { SeriesSources } from '../series.ts'

type Answer = Reply<(typeof competitorOperations)['get_competitor_aso']>

/** Days of ratings to load: growth compares two periods of ninety days. */
const ratingDaysRead = 181
const shownRatings = 90

/** The listing audit, keywords, ratings and listing changes of an app in a storefront. */
export async function competitorAso(
  db: Database,
  replies: Replies,
  app: StorefrontApp,
  accountId: string,
): Promise<Answer> {
  const { storeId, country, state } = app
  const record = knownRecord(app)
  const audit = await auditListing(db, storeId, country, state?.record.facts ?? {}, (make) =>
    replies.get(`untapped terms ${JSON.stringify([storeId, country])}`, make),
  )
  const keywords = await keywordsOfApp(db, accountId, app, keywordsInTexts(audit))
  const [coverage, timeline, ratings, days, trouble] = await Promise.all([
    keywordCoverageOf(db, accountId, { storeId, country: country as StorefrontCode }),
    state ? listingTimeline(db, state, keywords.searched, audit.stopWords) : [],
    newestRatings(db, storeId, country, ratingDaysRead),
    state ? observedDays(db, storeId, country, knownInstants(state)) : 0,
    sourceIssues(
      db,
      recordSources,
      country,
      keywords.items.map(({ term }) => termSubject(term, 'itunes-search')),
    ),
  ])
  const listedIn = fieldsHolding(audit)
  return {
    ...appReplyHeader(app),
    audit: auditShape(record, audit),
    keywords: {
      total: keywords.rankedKeywords.length,
      ranked: keywords.ranked,
      items: keywords.items.map((keyword) => keywordShape(keyword, country, listedIn(keyword.term))),
    },
    keywordCoverage: coverage,
    visibility: visibilityShape(keywords.rankedKeywords),
    ratings: ratingsShape(app, ratings),
    timeline: timeline.map((change) => changeShape(change, country)),
    absences: absenceShapes(app),
    listingObserved: {
      days,
      firstAt: state?.record.firstObservedAt ?? null,
      lastAt: state?.record.lastObservedAt ?? null,
    },
    trouble,
    evidence: evidenceOfRecord(record),
  }
}

function fieldsHolding({
  texts,
}: ListingAudit): (term: string) => z.output<typeof CompetitorKeyword>['listedIn'] {
  const fields = (['name', 'subtitle', 'description'] as const).map((field) => {
    const text = texts.find((one) => one.field === field)?.text
    return { field, matchOf: nameMatcher(text ?? '') }
  })
  return (term) =>
    fields.filter(({ matchOf }) => ['exact', 'phrase'].includes(matchOf(term))).map(({ field }) => field)
}

function keywordShape(
  {
    term,
    tracked,
    rank,
    pageAt,
    reading,
    over30Days,
    best,
    difficulty,
    difficultyFormula,
    searchFailed,
    history,
    otherTools,
  }: AppKeyword,
  country: string,
  listedIn: z.output<typeof CompetitorKeyword>['listedIn'],
): z.output<typeof CompetitorKeyword> {
  return {
    term,
    tracked,
    listedIn,
    rank,
    page: pageAt && reading ? { ...evidenceOf(reading, pageAt, country), surface: searchSurface } : null,
    over30Days,
    best,
    difficulty: difficultyScore({ pageAt, searchFailed, difficulty, difficultyFormula }),
    history,
    otherTools: toldLately(otherTools, country),
  }
}

function ratingsShape(app: StorefrontApp, newest: readonly ObservedRating[]): z.output<typeof ListingRatings> {
  const { country, failedChecks } = app
  const missing = newest.length === 0 ? unsearched(failedChecks.has('lookup')) : 'too-little-evidence'
  const record = knownRecord(app)
  const sources = new SeriesSources(country as StorefrontCode)
  const seen = (observed: ObservedRating) => sources.at(observed.observedAt, observed)
  return {
    rating: fieldFact(record, 'rating'),
    ratingCount: fieldFact(record, 'ratingCount'),
    ratingCurrentVersion: fieldFact(record, 'ratingCurrentVersion'),
    ratingCountCurrentVersion: fieldFact(record, 'ratingCountCurrentVersion'),
    growth: ratingGrowth(newest).map(({ days, added }) => ({
      days,
      added: added ? grown(added.value, seen(added.from), seen(added.to)) : notMeasured(missing),
    })),
    history: newest
      .map((one) => ({ ...seen(one), rating: one.rating, ratingCount: one.ratingCount }))
      .slice(0, shownRatings)
      .reverse(),
    sources: sources.list,
  }
}

type Seen = ReturnType<SeriesSources['at']>

const grown = (value: number, from: Seen, to: Seen) => ({
  state: 'measured' as const,
  value,
  from: from.observedAt,
  to: to.observedAt,
  fromSource: from.source,
  toSource: to.source,
})

/** Every instant at which the listing was observed. */
function knownInstants({ record, versions }: RecordState): string[] {
  const ends = [...versions.values()].flatMap((seen) =>
    seen.flatMap(({ firstSeenAt, lastSeenAt }) => [firstSeenAt, lastSeenAt]),
  )
  return [
    record.firstObservedAt,
    record.lastObservedAt,
    ...record.evidence.map(({ observedAt }) => observedAt),
    ...ends.map((at) => new Date(at).toISOString()),
  ]
}
