import type { ResultPageReading } from '../domain/aso/pages/result-pages.ts'
import { type HintAnswer, scoreTracked, storeHints } from '../domain/aso/pages/store-hints.ts'
import { storePages } from '../domain/aso/pages/store-pages.ts'
import { readingOf } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { reparse } from '../ingest/reparse.ts'
import { preparing } from '../storage/prepared.ts'
import { normaliseTerm, refusalOf } from '../text/keyword-term.ts'
import { storefrontDay } from '../vocabulary/storefront-day.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Result pages with their ranks, and Apple's suggestions: the inputs of the scores of a term. */
export const keywords = defineProjection({
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
  formats: ['itunes-search', 'search-hints'],
  restsOn: [],
  parse: (one) => [{ pages: pageIn(one), hints: hintsIn(one) }],
  project: async (db, parts) => {
    await storePages(
      // Each page takes a dozen statements that look up by key, so they are prepared.
      preparing(db),
      parts.flatMap(({ pages }) => pages),
      async (readingId) => {
        const stored = await readingOf(db, readingId)
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
  settle: scoreTracked,
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
  exportedAs: 'result-pages',
})

/** The result page in a reading, if it is one, with its sightings of apps. */
function pageIn({ reading, parsed }: ParsedReading): ResultPageReading[] {
  const { resultPage, sightings } = parsed
  const { readingId, country, observedAt, origin, context } = reading
  if (!resultPage || country === null) return []
  const shown = new Map(sightings.map(({ sighting }) => [sighting.storeId, sighting.listing]))
  const places = resultPage.storeIds.map((storeId) => {
    const listing = storeId === null ? undefined : shown.get(storeId)
    if (storeId === null || !listing) return null
    const { name, rating, ratingCount, updatedAt } = listing
    return { storeId, name, rating, ratingCount, updatedAt }
  })
  const term = normaliseTerm(resultPage.term, country)
  if (refusalOf(term)) return []
  const requested = typeof context.requested === 'number' ? context.requested : null
  const day = pageDay(reading, country)
  const { stated = null } = resultPage
  return [{ term, country, places, requested, stated, capturedAt: observedAt, day, origin, readingId }]
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
