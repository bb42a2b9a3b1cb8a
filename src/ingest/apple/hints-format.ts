import type { PayloadFormat } from '../format.ts'
import { readHints } from './hints.ts'

/** Apple's hints for a typed beginning, where the beginning is known. */
export const hintsFormat: PayloadFormat = {
  supplier: 'apple',
  isMappable: false,
  parse({ bytes }, { term: typed }) {
    const { hints, rejected } = readHints(bytes)
    return {
      source: 'apple-search-hints',
      sightings: [],
      charts: [],
      ...(typed === undefined ? {} : { hints: { typed, terms: hints.map(({ term }) => term) } }),
      rejected: rejected.map(({ position, reason }) => ({ position: `hint ${position}`, reason })),
      records: hints.length + rejected.length,
    }
  },
}
