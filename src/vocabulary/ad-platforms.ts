import { type AdsRow, type SupplierOf, suppliers, suppliersOf } from './suppliers.ts'

/** Platforms that have a library of ads. */
export const adPlatforms = suppliersOf('ads')

export type AdPlatform = SupplierOf<'ads'>

export const adLibraryRow = (platform: AdPlatform): AdsRow => suppliers[platform].ads

/** Such as `page id at Meta, business id at TikTok`. */
export const advertiserIdsInWords = adPlatforms
  .map((platform) => `${adLibraryRow(platform).advertiserId} at ${suppliers[platform].label}`)
  .join(', ')

/** All platforms, in a word. */
export const allPlatforms = adPlatforms.length === 2 ? 'both' : 'all'

export type LibrarySource = `${AdPlatform}-ad-library`

/** The name of a library as a source of evidence, and as an address that is asked. */
export const librarySource = (platform: AdPlatform): LibrarySource => `${platform}-ad-library`

export const librarySources = adPlatforms.map(librarySource)

/** The format under which pages of a library are stored. */
export type LibraryFormat = (typeof suppliers)[AdPlatform]['ads']['pages']

export const libraryFormat = (platform: AdPlatform): LibraryFormat => suppliers[platform].ads.pages

/** Where Meta shows an ad, the most seen first. */
export const publisherPlatforms = [
  'facebook',
  'instagram',
  'audience-network',
  'messenger',
  'whatsapp',
  'oculus',
  'threads',
] as const
