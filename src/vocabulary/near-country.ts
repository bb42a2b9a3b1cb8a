import table from '../data/storefronts.json' with { type: 'json' }
import { storefronts } from './storefronts.ts'

/** Common wrong codes for countries: names of languages, and codes of other kinds. */
const usual: ReadonlyMap<string, string> = new Map(Object.entries(table.slips))

const named: ReadonlyMap<string, string> = new Map(
  storefronts.map(({ name, code }) => [name.toLowerCase(), code]),
)

/** A suffix for a refusal: the country that was probably meant, if one is close. */
export function nearCountry(given: unknown): string {
  if (typeof given !== 'string' || given.length > 60) return ''
  const text = given.trim().toLowerCase()
  const meant = usual.get(text) ?? named.get(text)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}
