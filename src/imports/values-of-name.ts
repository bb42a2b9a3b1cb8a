import { basename } from 'node:path'
import { dated, lacksYear } from '../ingest/mapping/mapped-values.ts'
import { fromFileName, type Mapping } from '../ingest/mapping/mapping.ts'
import { timeInName } from '../ingest/times.ts'

/**
 * What a mapping reads from the name of a file, by our field; dates by the forms it names. Where a form names no year, the year
 * of a date in the name holds.
 * @throws UnfitPayload for a date that has none of its forms
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
