import { recordSuspectCharts } from '../domain/charts/store-charts.ts'
import { type PerformedSearch, recordSearches } from '../domain/collecting/suspects.ts'
import { isEmpty } from '../ingest/parse-payload.ts'
import { capturesIn } from './charts.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Empty answers where earlier answers were not empty. */
export const suspicions = defineProjection({
  summary: 'answers that were empty where they should not have been',
  tables: ['suspect_answers'],
  formats: ['itunes-search', 'search-hints', 'chart-feed', 'chart-rows'],
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
  exportedAs: null,
})

/** The term of a search in a reading, and whether it had results. */
function searchesIn({ reading, parsed }: ParsedReading): PerformedSearch[] {
  const { term } = reading.context
  return typeof term === 'string' && !parsed.isUnfit ? [{ reading, term, empty: isEmpty(parsed) }] : []
}
