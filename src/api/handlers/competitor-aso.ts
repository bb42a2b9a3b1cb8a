import type { z } from 'zod'
import type { competitorOperations } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { CompetitorKeyword, ListingRatings } from '../../contract/shapes/aso.ts'
import { type AppKeyword, keywordsOfApp } from '../../domain/aso/keywords/competitor-keywords.ts'
import { auditListing, keywordsInTexts, type ListingAudit } from '../../domain/aso/listing/audit.ts'
import { type ChangesWanted, listingTimeline } from '../../domain/aso/listing/listing-timeline.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import { inLanguage } from '../../domain/catalogue/localizations.ts'
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
import { type ListingFieldGroup, listingFieldGroups } from '../../vocabulary/listing-fields.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { difficultyScore, searchSurface, toldLately, unsearched, visibilityShape } from '../aso-facts.ts'
import { absenceShapes } from '../availability.ts'
import { evidenceOf, recordSources, sourceIssues } from '../evidence.ts'
import { keywordCoverageOf } from '../keyword-coverage.ts'
import { appReplyHeader, auditShape, changeShape, evidenceOfRecord, knownRecord } from '../listing-facts.ts'
import {
  askedLanguage,
  type LocalizedApp,
  localizationState,
  localizationsShape,
  localizedApp,
} from '../localizations.ts'
import type { Replies } from '../remembered-replies.ts'
import { restsOf } from '../rests-of-replies.ts'
import { SeriesSources } from '../series.ts'

type Operation = (typeof competitorOperations)['get_competitor_aso']
type Answer = Reply<Operation>

/** Days of ratings to load: growth compares two periods of ninety days. */
const ratingDaysRead = 181
const shownRatings = 90

/**
 * The listing audit, keywords, ratings and listing changes of an app in a storefront.
 * @param input `language` is the one whose texts, terms and changes are meant; the storefront's own without it
 */
export async function competitorAso(
  db: Database,
  replies: Replies,
  stored: StorefrontApp,
  accountId: string,
  input: Input<Operation>,
): Promise<Answer> {
  const { storeId, country } = stored
  const wanted = changesWanted(input)
  const asked = input.language
  const language = asked === undefined ? undefined : askedLanguage(asked, country)
  const localized = language && (await localizedApp(db, stored, language))
  const app = localized ? { ...stored, state: stateIn(stored, localized) } : stored
  const { state } = app
  const record = knownRecord(app)
  const other = localized?.isDefault === false ? language : undefined
  const audited = localized?.shown === undefined && other ? {} : (state?.record.facts ?? {})
  const audit = await auditListing(
    db,
    storeId,
    country,
    audited,
    (make) =>
      replies.get(
        `untapped terms ${JSON.stringify([storeId, country, ...(other ? [other] : [])])}`,
        restsOf('untapped terms'),
        make,
      ),
    other,
  )
  const keywords = await keywordsOfApp(db, accountId, app, keywordsInTexts(audit))
  const [coverage, timeline, ratings, days, trouble] = await Promise.all([
    keywordCoverageOf(db, accountId, { storeId, country: country as StorefrontCode }),
    state ? listingTimeline(db, state, keywords.searched, audit.stopWords, wanted) : [],
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
    ...appReplyHeader(stored),
    localizations: localizationsShape(stored),
    ...(localized && language ? { localization: localizationState(country, language, localized) } : {}),
    audit: auditIn(localized, auditShape(record, audit)),
    keywords: {
      total: keywords.rankedKeywords.length,
      ranked: keywords.ranked,
      items: keywords.items.map((keyword) => keywordShape(keyword, country, listedIn(keyword.term))),
    },
    keywordCoverage: coverage,
    visibility: visibilityShape(keywords.rankedKeywords, country),
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

function changesWanted({ from, to, changed }: Input<Operation>): ChangesWanted {
  const fields = changed?.flatMap((part) => (isGroup(part) ? listingFieldGroups[part] : part))
  return { from, to, fields: fields && new Set(fields) }
}

const isGroup = (part: string): part is ListingFieldGroup => part in listingFieldGroups

/**
 * The record as the language shows it. Where the app lacks it, the texts are what the answers in it say: that there are none of
 * its own.
 */
function stateIn(
  { state }: StorefrontApp,
  { shown, evidence, isDefault }: LocalizedApp,
): StorefrontApp['state'] {
  if (shown || !state || isDefault) return shown ?? state
  const fields = ['name', 'subtitle', 'description', 'releaseNotes'] as const
  const asked = evidence.slice(0, 1).map((entry) => ({ ...entry, fields: [...fields] }))
  return inLanguage(state, {
    state: 'measured',
    record: { facts: {}, evidence: asked },
    versions: new Map(),
  })
}

/** Nothing is advised where nothing is known of the language, and its texts are not measured for the reason that it is not. */
function auditIn(localized: LocalizedApp | undefined, audit: Answer['audit']): Answer['audit'] {
  if (!localized || localized.isDefault || localized.state === 'measured') return audit
  const { state, reason } = localized
  const { language } = audit
  if (state === 'absent') return { ...audit, language, advice: [] }
  const texts = audit.texts.map((text) =>
    text.field === 'keyword-field' || text.field === 'promotional-text'
      ? text
      : { ...text, text: notMeasured(reason), characters: notMeasured(reason) },
  )
  return { language, texts, advice: [] }
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
