import { storefrontCodes } from '../../src/vocabulary/storefronts.ts'
import { countryName } from './format.ts'
import type { Country } from './shapes.ts'

/** Every storefront of Apple by its name, those that are asked for most first. */
export const storefronts: readonly { code: Country; name: string }[] = inOrder()

function inOrder() {
  const often: readonly Country[] = ['us', 'gb', 'de', 'jp', 'fr', 'ca', 'au', 'br', 'kr', 'cn']
  const others = storefrontCodes
    .filter((code) => !often.includes(code))
    .map((code) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return [...often.map((code) => ({ code, name: countryName(code) })), ...others]
}

export const isCountry = (text: unknown): text is Country => storefrontCodes.includes(text as Country)
