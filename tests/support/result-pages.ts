import { storeReadings } from '../../src/projections/store-readings.ts'
import type { ParsedInput } from '../../src/suppliers/parsed-input.ts'
import { collected } from './collected.ts'
import type { World } from './world.ts'

/** An app in an iTunes Search answer; fields left out are not carried. */
export interface ResultApp {
  trackId: number
  trackName: string
  userRatingCount?: number | null
  averageUserRating?: number | null
  [field: string]: unknown
}

export interface MadePage {
  term: string
  country?: string
  observedAt: string
  /** In the order of the page. */
  apps: readonly ResultApp[]
  origin?: 'collected' | 'imported'
  /** Places asked of Apple: 200 unless it says otherwise. */
  requested?: number
}

/** Stores result pages as if each had been collected at its time, or captured then and imported later. */
export async function storePages({ store }: World, pages: readonly MadePage[]): Promise<void> {
  await storeReadings(store.db, pages.map(payloadOf))
}

export const storePage = (world: World, page: MadePage) => storePages(world, [page])

/** A page of synthetic apps: `ids` in the order of their places, each with ratings and name derived from its number. */
export const appsOf = (ids: readonly number[]): ResultApp[] =>
  ids.map((trackId) => ({
    trackId,
    trackName: `App ${trackId}`,
    userRatingCount: trackId * 100,
    averageUserRating: 4.5,
  }))

function payloadOf({
  term,
  country = 'us',
  observedAt,
  apps,
  origin = 'collected',
  requested = 200,
}: MadePage): ParsedInput {
  const results = apps.map((app) => ({ wrapperType: 'software', kind: 'software', ...app }))
  const bytes = Buffer.from(JSON.stringify({ resultCount: results.length, results }))
  return {
    ...collected('itunes-search', bytes, { country, term, requested }, observedAt),
    origin,
    timeBasis: origin === 'imported' ? 'stated' : 'clock',
  }
}

/** Stores Apple's suggestions for a prefix. */
export async function storeSuggestions(
  { store }: World,
  {
    typed,
    country = 'us',
    observedAt,
    terms,
  }: Omit<MadePage, 'apps' | 'term' | 'origin' | 'requested'> & { typed: string; terms: readonly string[] },
): Promise<void> {
  const entries = terms.map((term) => `<dict><key>term</key><string>${term}</string></dict>`)
  const plist = `<plist version="1.0"><dict><key>hints</key><array>${entries.join('')}</array></dict></plist>`
  await storeReadings(store.db, [
    collected('search-hints', Buffer.from(plist), { country, term: typed }, observedAt),
  ])
}
