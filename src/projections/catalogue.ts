import type { AppSighting, Listing } from '../domain/catalogue/listing.ts'
import { type SightingsOfReading, storeSightings } from '../domain/catalogue/store-sightings.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { capturesIn } from './charts.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

interface SeenApps extends SightingsOfReading {
  /** Whether listings are stated as a whole; and apps of which hardly more than a name is. */
  whole: boolean
  beside: ReadonlySet<string>
}

/** Listings of apps: the record, its versions, ratings by day, and what search knows. */
export const catalogue = defineProjection({
  summary: 'records of apps, their history, ratings by day and search',
  tables: [
    'app_records',
    'listing_versions',
    'listing_sightings',
    'rating_observations',
    'app_search',
    'search_words',
  ],
  formats: ['itunes-search', 'itunes-lookup', 'app-page', 'app-rows', 'chart-feed', 'chart-rows'],
  // A value that arrives late parts a version where it was really seen, also in charts.
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
  exportedAs: 'catalogue',
})

/** What a payload shows of apps, the entries of its charts at the times of these. */
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
  ]
}

/**
 * Sources whose sightings state a listing. What else mentions an app, a chart or the lists of other apps on a page, says
 * little more than its name.
 */
const wholeListings = new Set<SourceName>([
  'itunes-search',
  'itunes-lookup',
  'catalogue-file',
  'app-store-page',
])

const mediaFields = [
  'screenshotsIphone',
  'screenshotsIpad',
  'screenshotsTv',
  'previews',
] as const satisfies (keyof Listing)[]

/** An icon alone is not what people ask for, and an empty set leaves them waiting. */
function showsMedia({ listing, hints }: AppSighting): boolean {
  return mediaFields.some((field) => listing[field]?.length || hints?.[field]?.length)
}
