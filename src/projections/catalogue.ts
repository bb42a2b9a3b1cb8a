import type { AppSighting } from '../domain/catalogue/listing.ts'
import { mediaFields } from '../domain/catalogue/media.ts'
import { type SightingsOfReading, storeSightings } from '../domain/catalogue/store-sightings.ts'
import { type ChartOfReading, type ListRanksOfReading, storeCharts } from '../domain/charts/store-charts.ts'
import { appScope } from '../domain/evidence/change-scopes.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

interface SeenApps extends SightingsOfReading {
  /** True for sightings with a whole listing; false for those with little more than a name. */
  whole: boolean
  beside: ReadonlySet<string>
}

/** Listings of apps: the record, its versions, daily ratings, and the search index. */
export const catalogueProjection = defineProjection({
  summary: 'records of apps, their history, ratings by day and search',
  tables: [
    'app_records',
    'genre_counts',
    'listing_versions',
    'listing_sightings',
    'rating_observations',
    'app_search',
    'search_words',
    'described_words',
  ],
  formats: [
    'itunes-search',
    'itunes-lookup',
    'app-page',
    'app-store-search',
    'app-rows',
    'chart-feed',
    'chart-rows',
  ],
  // A value that arrives late splits a version at the time of its observation, which can be in a chart.
  restsOn: ['charts'],
  parse: (one): SeenApps[] => {
    const { source, lists = [] } = one.parsed
    const beside = new Set(lists.flatMap(({ storeIds }) => storeIds))
    return sightingsIn(one).map((seen) => ({
      ...seen,
      whole: wholeListings.has(source) && !seen.charted,
      beside,
    }))
  },
  project: (db, parts) => storeSightings(db, parts),
  settle: null,
  withdraw: null,
  fulfils: {
    record: (parts) =>
      parts
        .filter(({ whole }) => whole)
        .map(({ country, sightings, beside }) => ({
          country,
          storeIds: sightings.map(({ storeId }) => storeId).filter((storeId) => !beside.has(storeId)),
        })),
    media: (parts) =>
      parts
        .filter(({ charted }) => !charted)
        .map(({ country, sightings }) => ({
          country,
          storeIds: sightings.filter(showsMedia).map(({ storeId }) => storeId),
        })),
  },
  // A record in one more storefront is named by those of the others.
  changes: (parts, fresh) => [
    ...parts.flatMap(({ country, sightings, charted }) =>
      charted ? [country] : sightings.map(({ storeId }) => appScope(storeId, country)),
    ),
    ...fresh.map((storeId) => appScope(storeId, null)),
  ],
  exportedAs: 'catalogue',
})

/** The sightings of apps in a payload; those in charts have the time of the chart. */
export function sightingsIn(one: ParsedReading): SightingsOfReading[] {
  const { reading, parsed } = one
  return [
    ...[...Map.groupBy(parsed.sightings, ({ country }) => country)].map(([country, seen]) => ({
      reading,
      country,
      sightings: seen.map(({ sighting }) => sighting),
    })),
    ...capturesIn(one).map(({ chart }) => ({
      reading: { ...reading, observedAt: chart.capturedAt },
      country: chart.country,
      sightings: chart.sightings,
      charted: true,
    })),
    // Not `charted`: only snapshots keep the instants of their entries.
    ...listRanksIn(one).map(({ told }) => ({
      reading: { ...reading, observedAt: told.capturedAt },
      country: told.country,
      sightings: told.sightings,
    })),
  ]
}

/**
 * Sources with whole listings. All others, such as charts or the lists of other apps on a page, carry little more than a
 * name.
 */
const wholeListings = new Set<SourceName>([
  'itunes-search',
  'itunes-lookup',
  'catalogue-file',
  'app-store-page',
])

/** A request for media is not fulfilled by an icon alone, nor by an empty list. */
function showsMedia({ listing, hints }: AppSighting): boolean {
  return mediaFields.some((field) => listing[field]?.length || hints?.[field]?.length)
}

/** Captures of charts, the ranks of apps in them, and ranks from lists with gaps. */
export const chartsProjection = defineProjection({
  summary: 'snapshots of charts and the ranks in them, and ranks told without their chart',
  tables: ['charts', 'chart_snapshots', 'chart_sightings', 'chart_months', 'told_ranks'],
  formats: ['chart-feed', 'chart-rows'],
  restsOn: [],
  parse: (one) => [{ captures: capturesIn(one), listRanks: listRanksIn(one) }],
  project: (db, parts) =>
    storeCharts(
      db,
      parts.flatMap(({ captures }) => captures),
      parts.flatMap(({ listRanks }) => listRanks),
    ),
  settle: null,
  withdraw: null,
  fulfils: {
    charts: (parts) =>
      parts.flatMap(({ captures, listRanks }) => [
        ...captures.map(({ chart: { country, storeIds } }) => ({
          country,
          storeIds: storeIds.filter((storeId) => storeId !== null),
        })),
        ...listRanks.map(({ told: { country, ranks } }) => ({
          country,
          storeIds: ranks.filter(({ rank }) => rank !== null).map(({ storeId }) => storeId),
        })),
      ]),
  },
  // An app that a chart no longer shows is not named by it.
  changes: (parts) =>
    parts.flatMap(({ captures, listRanks }) => [
      ...captures.map(({ chart }) => chart.country),
      ...listRanks.map(({ told }) => told.country),
    ]),
  exportedAs: 'charts',
})

/** The ranks in a payload's lists with gaps. */
const listRanksIn = ({
  reading,
  parsed: { listRanks = [] },
}: ParsedReading): (ListRanksOfReading & { reading: Reading })[] => listRanks.map((told) => ({ reading, told }))

/** The charts in a payload; one without a time has that of the reading. */
export function capturesIn({ reading, parsed }: ParsedReading): (ChartOfReading & { reading: Reading })[] {
  return parsed.charts.map((chart) => ({
    reading,
    chart: { ...chart, capturedAt: chart.capturedAt ?? reading.observedAt },
  }))
}
