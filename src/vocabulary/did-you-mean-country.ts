import table from '../data/storefronts.json' with { type: 'json' }
import { isStorefront, type StorefrontCode, storefronts } from './storefronts.ts'

/** Common wrong codes for countries: names of languages, and codes of other kinds. */
const usual: ReadonlyMap<string, string> = new Map(Object.entries(table.slips))

const named: ReadonlyMap<string, string> = new Map(
  storefronts.map(({ name, code }) => [name.toLowerCase(), code]),
)

/** The storefront of a code in any case, or of a name in English; undefined for any other text. */
export function storefrontNamed(text: string): StorefrontCode | undefined {
  const given = text.trim().toLowerCase()
  const code = isStorefront(given) ? given : named.get(given)
  return code !== undefined && isStorefront(code) ? code : undefined
}

/** A suffix for a refusal: the country that was probably meant, if one is close, such as that of the locale `en-US`. */
export function didYouMeanCountry(given: unknown): string {
  if (typeof given !== 'string' || given.length > 60) return ''
  const text = given.trim().toLowerCase()
  const region = /^[a-z]{2,3}[-_]([a-z]{2})$/.exec(text)?.[1]
  const meant = usual.get(text) ?? named.get(text) ?? (region && isStorefront(region) ? region : undefined)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}
