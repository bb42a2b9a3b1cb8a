import type { AppSighting, Listing } from '../domain/catalogue/listing.ts'
import type { DataKind } from '../domain/demand/data-request.ts'
import type { Arrival } from '../domain/demand/queries.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import type { Harvest } from './harvest.ts'

/**
 * What harvests bring that people may be waiting for: each kind and storefront once, with its apps. Posts are not among
 * them: which apps they belong to is known once they are stored.
 */
export function arrivalsIn(harvests: readonly Harvest[]): Arrival[] {
  const gathered = new Map<string, { kind: DataKind; country: string; storeIds: Set<string> }>()
  const add = (kind: DataKind, country: string, storeIds: readonly string[]) => {
    const key = `${kind} ${country}`
    const arrival = gathered.get(key) ?? { kind, country, storeIds: new Set() }
    gathered.set(key, arrival)
    for (const storeId of storeIds) arrival.storeIds.add(storeId)
  }
  for (const { source, sightings, charts, resultPage, lists = [] } of harvests) {
    const neighbours = new Set(lists.flatMap(({ storeIds }) => storeIds))
    for (const { country, sighting } of sightings) {
      if (wholeListings.has(source) && !neighbours.has(sighting.storeId))
        add('record', country, [sighting.storeId])
      if (showsMedia(sighting)) add('media', country, [sighting.storeId])
    }
    for (const { country, storeIds } of charts)
      add(
        'charts',
        country,
        storeIds.filter((storeId) => storeId !== null),
      )
    if (resultPage && sightings[0])
      add(
        'aso',
        sightings[0].country,
        resultPage.storeIds.filter((storeId) => storeId !== null),
      )
    for (const { country, storeId, kind, storeIds } of lists)
      if (kind === 'similar' && storeIds.length > 0) add('similar', country, [storeId])
  }
  return [...gathered.values()]
    .filter(({ storeIds }) => storeIds.size > 0)
    .map((arrival) => ({ ...arrival, storeIds: [...arrival.storeIds] }))
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
