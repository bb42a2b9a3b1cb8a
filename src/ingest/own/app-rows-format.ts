import { nearCountry } from '../../vocabulary/near-country.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import type { PayloadFormat } from '../format.ts'
import { aroundOf, mappedValues, unlessUnreadable } from '../mapping/mapped-values.ts'
import { shown } from '../mapping/mapping.ts'
import type { ParsedPayload, ReadingContext } from '../parsed-payload.ts'
import { rowsOf } from '../rows.ts'
import { readAppRow } from './app-rows.ts'

/** Apps of a table or list, one a row, whose columns a mapping names. */
export const appRowsFormat: PayloadFormat = {
  supplier: 'own',
  isMappable: true,
  parse(payload, context, from) {
    const held = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
    const { rows, rejected } = rowsOf(payload, context, from)
    const records = rows.length + rejected.length
    const sightings: ParsedPayload['sightings'] = []
    for (const { position, record } of rows) {
      const seen = unlessUnreadable(() => appIn(record, context, held))
      if (typeof seen === 'string') rejected.push({ position, reason: seen, record })
      else sightings.push(seen)
    }
    return { source: 'catalogue-file', sightings, charts: [], rejected, records }
  },
}

/** The app of a row, or why there is none. @throws UnfitPayload */
function appIn(
  record: unknown,
  context: ReadingContext,
  held: Record<string, string>,
): ParsedPayload['sightings'][number] | string {
  const values = mappedValues('catalogue', record, context.fields ?? {}, context, held)
  const country = shown(values.get('country') ?? context.country ?? 'us').toLowerCase()
  if (!isStorefront(country)) return `"${country}" is not an App Store country${nearCountry(country)}`
  const sighting = readAppRow(values)
  return typeof sighting === 'string' ? sighting : { country, sighting }
}
