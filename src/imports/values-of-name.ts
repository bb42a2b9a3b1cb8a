import { basename } from 'node:path'
import { dated, lacksYear } from '../ingest/mapping/mapped-values.ts'
import { fromFileName, type Mapping } from '../ingest/mapping/mapping.ts'
import { timeInName } from '../ingest/times.ts'

/**
 * The values that a mapping extracts from a file name, by field; dates in the formats it names. A format without a year
 * uses the year of a date in the name.
 * @throws UnfitPayload for a date in none of its formats
 */
export function valuesOfName(mapping: Mapping | undefined, file: string): Record<string, string> {
  if (!mapping) return {}
  const name = basename(file)
  const groups = fromFileName(mapping, name)
  const inName = lacksYear(mapping) ? timeInName(name)?.at.getUTCFullYear() : undefined
  const year = groups.year ?? mapping.constants.year ?? inName?.toString()
  return {
    ...Object.fromEntries(
      Object.entries(groups).map(([field, text]) => [field, String(dated(field, text, mapping, year))]),
    ),
    ...(year === undefined ? {} : { year }),
  }
}
