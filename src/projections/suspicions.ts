import { recordSuspectCharts } from '../domain/charts/empty-charts.ts'
import { type PerformedSearch, recordSearches } from '../domain/collecting/record-searches.ts'
import { isEmpty } from '../ingest/parse-payload.ts'
import { capturesIn } from './charts.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Answers that hold nothing where others held something. */
export const suspicions = defineProjection({
  summary: 'answers that were empty where they should not have been',
  tables: ['suspect_answers'],
  formats: ['itunes-search', 'search-hints', 'chart-feed', 'chart-rows'],
  // It asks when a chart was captured; that more captures are known already changes nothing.
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

/** The term of a reading that is about one, and whether there was anything. */
function searchesIn({ reading, parsed }: ParsedReading): PerformedSearch[] {
  const { term } = reading.context
  return typeof term === 'string' && !parsed.isUnfit ? [{ reading, term, empty: isEmpty(parsed) }] : []
}
