import type { PayloadFormat } from '../format.ts'
import { readHints } from './hints.ts'

/** What Apple suggests for something typed, where it is known what was. */
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
