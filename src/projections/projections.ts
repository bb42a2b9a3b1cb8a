import type { ResultPageReading } from '../domain/aso/pages/result-pages.ts'
import { type HintAnswer, scoreTrackedTerms, storeHints } from '../domain/aso/pages/store-hints.ts'
import { storePages } from '../domain/aso/pages/store-pages.ts'
import { storeToolRanks } from '../domain/aso/pages/tool-ranks.ts'
import { storeMisses } from '../domain/catalogue/availability.ts'
import { type LocalizedReading, storeLocalizations } from '../domain/catalogue/localizations.ts'
import { indexLocalizations } from '../domain/catalogue/localized-search.ts'
import { storeAppleLists } from '../domain/catalogue/similar-lists.ts'
import { recordSuspectCharts } from '../domain/charts/store-charts.ts'
import { type PerformedSearch, recordSearches } from '../domain/collecting/suspects.ts'
import type { NewEvidence } from '../domain/demand/queries.ts'
import { storeSales } from '../domain/estimates/own-sales.ts'
import { appScope, type ChangedScopes } from '../domain/evidence/change-scopes.ts'
import { storedReadingOf } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { claimedHandles, storeListedHandles } from '../domain/organic/handles.ts'
import { storePosts } from '../domain/organic/store-posts.ts'
import type { Database } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import { isEmpty } from '../suppliers/formats.ts'
import { reparse } from '../suppliers/reparse.ts'
import { normaliseTerm, termRefusalOf } from '../text/keyword-term.ts'
import { isSearchSurface, mainSurface } from '../vocabulary/search-surfaces.ts'
import { storefrontDay } from '../vocabulary/storefront-day.ts'
import { adsProjection } from './ads.ts'
import { capturesIn, catalogueProjection, chartsProjection, sightingsIn } from './catalogue.ts'
import { type ProjectionName, projectionNames } from './names.ts'
import { defineProjection, type ParsedReading, type Projection } from './projection.ts'

/** Organic posts, their metrics, and the accounts of each app, which listings also state. */
const posts = defineProjection({
  summary: 'organic posts, their figures, links and known accounts',
  tables: [
    'posts',
    'post_metrics',
    'post_authors',
    'post_grounds',
    'post_mentions',
    'known_handles',
    'post_search',
    'post_sort_keys',
  ],
  formats: ['organic-posts', ...catalogueProjection.formats],
  restsOn: [],
  parse: (one) => [{ reading: one.reading, listed: sightingsIn(one), posts: one.parsed.posts ?? [] }],
  project: async (db, parts) => {
    const listed = await storeListedHandles(
      db,
      parts.flatMap((part) => part.listed),
    )
    return [...listed, ...(await storePosts(db, parts))]
  },
  settle: null,
  withdraw: null,
  fulfils: {
    // Posts have no storefront. The apps they belong to are known once they are stored.
    organic: (_, linkedApps: readonly string[]) => [{ country: null, storeIds: linkedApps }],
  },
  // An account that one more app claims may belong to none.
  changes: (parts) =>
    parts.some((part) => part.posts.length > 0 || claimedHandles(part.listed).length > 0) ? 'all' : [],
  exportedAs: 'organic',
})

/** The operator's own downloads and revenue. */
const sales = defineProjection({
  summary: 'your own sales by day',
  tables: ['own_sales'],
  formats: ['sales-rows', 'asc-sales'],
  restsOn: [],
  parse: ({ reading: { readingId }, parsed }) => (parsed.sales ? [{ readingId, sales: parsed.sales }] : []),
  project: storeSales,
  settle: null,
  withdraw: null,
  fulfils: {},
  changes: () => 'all',
  exportedAs: null,
})

/** What stores show in other languages than their own. It stands apart: nothing of it is ever a default text. */
const localizations = defineProjection({
  summary: "listings in other languages than a storefront's own",
  tables: ['localized_readings', 'localized_texts', 'localized_search'],
  formats: ['app-page', 'itunes-lookup', 'itunes-search'],
  restsOn: [],
  parse: ({ reading, parsed }): LocalizedReading[] =>
    (parsed.localized ?? []).map((sighting) => ({ reading, sighting })),
  project: async (db, parts) => {
    await storeLocalizations(db, parts)
    await indexLocalizations(db, [...new Set(parts.map(({ sighting }) => sighting.storeId))].sort())
  },
  settle: null,
  withdraw: null,
  fulfils: {},
  // Its storefronts share the texts of an app.
  changes: (parts) =>
    parts.flatMap(({ sighting: { storeId, country } }) => [
      appScope(storeId, country),
      appScope(storeId, null),
    ]),
  exportedAs: 'catalogue',
})

/** Apps that were asked for, and that the storefront did not list. */
const misses = defineProjection({
  summary: 'when storefronts did not list an app they were asked for',
  tables: ['missed_apps'],
  formats: ['itunes-lookup', 'app-page'],
  restsOn: [],
  parse: ({ reading, parsed: { missed } }) => (missed ? [{ reading, ...missed }] : []),
  project: storeMisses,
  settle: null,
  withdraw: null,
  fulfils: {},
  changes: (parts) =>
    parts.flatMap(({ country, storeIds }) =>
      storeIds.flatMap((storeId) => [appScope(storeId, country), appScope(storeId, null)]),
    ),
  exportedAs: 'catalogue',
})

/** Apps that Apple shows beside others. */
const similar = defineProjection({
  summary: 'the lists of similar apps that Apple shows',
  tables: ['apple_lists'],
  formats: ['app-page'],
  restsOn: [],
  parse: ({ reading, parsed }) => (parsed.lists ?? []).map((list) => ({ reading, ...list })),
  project: storeAppleLists,
  settle: null,
  withdraw: null,
  fulfils: {
    similar: (lists) =>
      lists
        .filter(({ kind, storeIds }) => kind === 'similar' && storeIds.length > 0)
        .map(({ country, storeId }) => ({ country, storeIds: [storeId] })),
  },
  changes: (lists) => lists.map(({ country, storeId }) => appScope(storeId, country)),
  exportedAs: 'catalogue',
})

/** Empty answers where earlier answers were not empty. */
const suspicions = defineProjection({
  summary: 'answers that were empty where they should not have been',
  tables: ['suspect_answers'],
  formats: ['itunes-search', 'app-store-search', 'search-hints', 'chart-feed', 'chart-rows'],
  // It only needs the times of captures, and captures that arrive later do not matter.
  restsOn: [],
  parse: (one) => [{ captures: capturesIn(one), searches: searchesIn(one) }],
  project: async (db, parts) => {
    await recordSuspectCharts(
      db,
      parts.flatMap(({ captures }) => captures),
    )
    await recordSearches(
      db,
      parts.flatMap(({ searches }) => searches),
    )
  },
  settle: null,
  withdraw: null,
  fulfils: {},
  changes: (parts) =>
    parts.flatMap(({ captures, searches }) => [
      ...captures.map(({ chart }) => chart.country),
      ...searches.flatMap(({ reading }) => reading.country ?? []),
    ]),
  exportedAs: null,
})

/** Result pages with their ranks, and Apple's suggestions: the inputs of the scores of a term. */
const keywords = defineProjection({
  summary: 'result pages, ranks in them, search hints and scores of terms',
  tables: [
    'term_states',
    'result_pages',
    'duplicate_pages',
    'newest_pages',
    'page_months',
    'rank_months',
    'depth_months',
    'term_words',
    'hint_answers',
  ],
  formats: ['itunes-search', 'app-store-search', 'search-hints'],
  restsOn: [],
  parse: (one) => [{ pages: pageIn(one), hints: hintsIn(one) }],
  project: async (db, parts) => {
    await storePages(
      // Each page takes a dozen statements that look up by key, so they are prepared.
      withPreparedStatements(db),
      parts.flatMap(({ pages }) => pages),
      async (readingId) => {
        const stored = await storedReadingOf(db, readingId)
        const again = stored ? await reparse(stored) : undefined
        return again ? pageIn(again)[0] : undefined
      },
    )
    await storeHints(
      db,
      parts.flatMap(({ hints }) => hints),
    )
  },
  // Scores newly tracked terms from stored suggestions.
  settle: scoreTrackedTerms,
  withdraw: null,
  fulfils: {
    aso: (parts) =>
      parts
        .flatMap(({ pages }) => pages)
        .map(({ country, places }) => ({
          country,
          storeIds: places.flatMap((place) => (place ? [place.storeId] : [])),
        })),
  },
  // An app that a page no longer shows is not named by it.
  changes: (parts) => parts.flatMap(({ pages, hints }) => [...pages, ...hints].map(({ country }) => country)),
  exportedAs: 'result-pages',
})

/** Ranks of keywords that other tools observed: no page shows them, so they fulfil no request for pages, and no score reads them. */
const toolRanks = defineProjection({
  summary: 'ranks of keywords that files of other tools tell',
  tables: ['tool_ranks'],
  formats: ['keyword-rank-rows'],
  restsOn: [],
  parse: ({ reading, parsed }) => (parsed.toolRanks ? [{ reading, ranks: parsed.toolRanks }] : []),
  project: storeToolRanks,
  settle: null,
  withdraw: null,
  fulfils: {},
  changes: () => 'all',
  exportedAs: 'keyword-ranks',
})

/**
 * Every kind of record that is derived from payloads. Storing, replay, data requests, exports and tests of derived state use
 * this table. The order is that in which a payload is projected: a projection that reads the tables of another is placed
 * where it finds them in the state it expects.
 */
export const projections = {
  catalogue: catalogueProjection,
  localizations,
  misses,
  similar,
  charts: chartsProjection,
  sales,
  ads: adsProjection,
  keywords,
  'tool-ranks': toolRanks,
  posts,
  suspicions,
} as const satisfies Record<ProjectionName, Projection>

/**
 * Derives records from parsed payloads.
 * @param names which projections to run, in the order of the table
 * @returns the new evidence, which may fulfil data requests, and by projection what changed
 */
export async function deriveRecords(
  db: Database,
  read: readonly ParsedReading[],
  names: readonly ProjectionName[] = projectionNames,
): Promise<{ arrivals: NewEvidence[]; changes: ReadonlyMap<ProjectionName, ChangedScopes> }> {
  const arrivals: NewEvidence[] = []
  const changes = new Map<ProjectionName, ChangedScopes>()
  for (const name of names) {
    const derived = await projections[name].derive(db, read)
    arrivals.push(...derived.arrivals)
    changes.set(name, derived.changes)
  }
  return { arrivals, changes }
}

/** Exports of raw payloads, and the formats they contain. */
export const exportedFormats = {
  catalogue: catalogueProjection.formats,
  'result-pages': keywords.formats,
} as const

export type ExportedKind = keyof typeof exportedFormats
export type ExportedFormat = (typeof exportedFormats)[ExportedKind][number]

/** The term of a search in a reading, and whether it had results. */
function searchesIn({ reading, parsed }: ParsedReading): PerformedSearch[] {
  const { term } = reading.context
  return typeof term === 'string' && !parsed.isUnfit ? [{ reading, term, empty: isEmpty(parsed) }] : []
}

/** The result page in a reading, if it is one, with its sightings of apps. */
function pageIn({ reading, parsed }: ParsedReading): ResultPageReading[] {
  const { resultPage, sightings } = parsed
  const { readingId, country, observedAt, origin, context } = reading
  if (!resultPage || country === null) return []
  const shown = new Map(sightings.map(({ sighting }) => [sighting.storeId, sighting.listing]))
  const places = resultPage.storeIds.map((storeId) => {
    const listing = storeId === null ? undefined : shown.get(storeId)
    if (storeId === null) return null
    // A page can list an app by its id alone.
    const { name = '', rating, ratingCount, updatedAt } = listing ?? {}
    return { storeId, name, rating, ratingCount, updatedAt }
  })
  const term = normaliseTerm(resultPage.term, country)
  if (termRefusalOf(term)) return []
  const requested = typeof context.requested === 'number' ? context.requested : null
  const day = pageDay(reading, country)
  const { stated = null } = resultPage
  const surface = isSearchSurface(parsed.source) ? parsed.source : mainSurface
  return [{ term, country, surface, places, requested, stated, capturedAt: observedAt, day, origin, readingId }]
}

/** Storefront date. A file that names a date without a time belongs to that date; it is stored as 00:00 UTC. */
function pageDay({ observedAt, origin }: Reading, country: string): string {
  const time = observedAt.toISOString()
  return origin !== 'collected' && time.endsWith('T00:00:00.000Z')
    ? time.slice(0, 10)
    : storefrontDay(country, observedAt)
}

function hintsIn({ reading, parsed }: ParsedReading): HintAnswer[] {
  const { readingId, key: readingKey, country, observedAt } = reading
  if (!parsed.hints || country === null) return []
  const typed = normaliseTerm(parsed.hints.typed, country)
  const terms = parsed.hints.terms.map((term) => normaliseTerm(term, country))
  return [{ country, typed, terms: [...new Set(terms)], observedAt, readingId, readingKey }]
}
