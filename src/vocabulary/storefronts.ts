import table from '../data/storefronts.json' with { type: 'json' }

/** A country or region with an App Store of its own. */
interface Storefront {
  /** ISO 3166-1 alpha-2 in lower case; `xk`, Apple's code for Kosovo, is user-assigned there. */
  readonly code: StorefrontCode
  /** In English, as in Unicode's CLDR. */
  readonly name: string
  /** Apple's number for the `X-Apple-Store-Front` header. */
  readonly appleNumber: number
  /**
   * The IANA time zone of its day. Apple does not publish when a chart's day begins. A country with several zones has the
   * zone of its capital, or of its commercial centre (us, ca, br, au, kz).
   */
  readonly timeZone: string
  /** Its default language, by App Store Connect's code. */
  readonly language: LocalizationCode
  /** The localizations that Apple's table names for it besides the default one; empty for 71 storefronts. */
  readonly additional: readonly LocalizationCode[]
  /** ISO 4217 code of the currency of its prices, which may differ from the country's own. */
  readonly currency: string
}

/** A language that a listing can be written in, by its code in App Store Connect. */
export type LocalizationCode = keyof typeof table.localizations

/** All of them, by code. */
export const localizationCodes = Object.keys(table.localizations) as readonly LocalizationCode[]

/** A localization: its English name, and what the store's pages take for `l`. */
export function localizationOf(code: LocalizationCode): { name: string; page: string } {
  return { page: code, ...table.localizations[code] }
}

/** The language of a localization without its country, ISO 639-1: `fr` for `fr-CA`. */
export const tongueOf = (code: LocalizationCode): string => code.split('-')[0] ?? code

export const isLocalization = (code: string): code is LocalizationCode =>
  Object.hasOwn(table.localizations, code)

export type StorefrontCode = keyof typeof table.storefronts

export const storefrontCodes = Object.keys(table.storefronts) as readonly StorefrontCode[]

/** All storefronts, by code. */
export const storefronts: readonly Storefront[] = storefrontCodes.map((code) => ({
  code,
  additional: [],
  ...(table.storefronts[code] as Omit<Storefront, 'code' | 'additional'>),
}))

const byCode: ReadonlyMap<string, Storefront> = new Map(storefronts.map((one) => [one.code, one]))

/** Whether a country, named by its code in lower case, has an App Store. */
export function isStorefront(country: string): country is StorefrontCode {
  return byCode.has(country)
}

/** A country without an App Store of its own. There is no substitute: another store's answer would be wrong. */
export class UnknownStorefrontError extends RangeError {
  constructor(country: string) {
    super(`"${country}" is not an App Store country`)
    this.name = 'UnknownStorefrontError'
  }
}

/** The storefront of a code in lower case. @throws UnknownStorefrontError */
export function storefrontOf(country: string): Storefront {
  const found = byCode.get(country)
  if (!found) throw new UnknownStorefrontError(country)
  return found
}

/** Where the localizations of each storefront are from, since when Apple names these, and when the table was last compared. */
export const localizationTable = {
  source:
    'https://developer.apple.com/help/app-store-connect/reference/app-information/app-store-localizations',
  since: '2026-03-31',
  asOf: '2026-11-27',
} as const

/** What is held of them, and not documented: told wherever they are. */
export const searchPractice =
  'Practitioners hold that search reads every localization in the list, whatever the language of the device, and that words combine only within one of them; Apple does not document it.'

/**
 * The localizations that a storefront supports, its default first: the word of Apple's table. What search
 * reads of them is `searchPractice`: say so wherever it is used.
 */
export function supportedLocalizations(country: string): readonly LocalizationCode[] {
  const { language, additional } = storefrontOf(country)
  return [language, ...additional]
}
