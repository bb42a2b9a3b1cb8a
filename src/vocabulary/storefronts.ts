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
  readonly language: string
  /** ISO 4217 code of the currency of its prices, which may differ from the country's own. */
  readonly currency: string
}

export type StorefrontCode = keyof typeof table.storefronts

export const storefrontCodes = Object.keys(table.storefronts) as readonly StorefrontCode[]

/** All storefronts, by code. */
export const storefronts: readonly Storefront[] = storefrontCodes.map((code) => ({
  code,
  ...table.storefronts[code],
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
