import {
  type AdSubject,
  type AdsRow,
  type AskedRow,
  type SupplierOf,
  supplierRow,
  suppliers,
  suppliersOf,
} from './suppliers.ts'

/** Platforms whose ads are shown to everybody. */
export const adPlatforms = suppliersOf('ads')

export type AdPlatform = SupplierOf<'ads'>

export const adLibraryRow = (platform: AdPlatform): AdsRow => suppliers[platform].ads

/** Platforms with a library that programs can ask. */
export type AskedPlatform = {
  [Platform in AdPlatform]: (typeof suppliers)[Platform]['ads'] extends { filesOnly: true } ? never : Platform
}[AdPlatform]

export const isAsked = (platform: AdPlatform): platform is AskedPlatform =>
  !('filesOnly' in suppliers[platform].ads)

export const askedPlatforms = adPlatforms.filter(isAsked)

/** For work that only such platforms have. @throws Error for another one */
export function askedPlatform(platform: AdPlatform): AskedPlatform {
  if (isAsked(platform)) return platform
  throw new Error(`${platform} has no library that can be asked.`)
}

export const askedLibraryRow = (platform: AskedPlatform): AskedRow => suppliers[platform].ads

const digits = /^\d{1,32}$/

/** The forms of ids at a platform. */
export const adIdForm = (platform: AdPlatform): RegExp => adLibraryRow(platform).adId ?? digits
export const advertiserIdForm = (platform: AdPlatform): RegExp =>
  adLibraryRow(platform).advertiserIdForm ?? digits

/** The forms of ids of any platform. */
export const anyAdId = /^[0-9A-Za-z-]{1,64}$/
export const anyAdvertiserId = /^\S(.{0,198}\S)?$/

/** Such as `page id at Meta, business id at TikTok`. */
export const advertiserIdsInWords = adPlatforms
  .map((platform) => `${adLibraryRow(platform).advertiserId} at ${supplierRow(platform).label}`)
  .join(', ')

/** All platforms, in a word. */
export const allPlatforms = (adPlatforms.length as number) === 2 ? 'both' : 'all'

/** Where the ads of a platform stand, such as `on tiktok`. */
export const adPlace = (platform: AdPlatform): string => adLibraryRow(platform).place ?? `on ${platform}`

const usualSubjects: readonly AdSubject[] = ['terms', 'advertiserIds']

/** What a library can be asked for; nothing where programs cannot ask it. */
export const searchSubjectsOf = (platform: AdPlatform): readonly AdSubject[] =>
  isAsked(platform) ? (askedLibraryRow(platform).subjects ?? usualSubjects) : []

export type LibrarySource = `${AskedPlatform}-ad-library`

/** The name of a library as a source of evidence, and as an address that is asked. */
export const librarySource = (platform: AskedPlatform): LibrarySource => `${platform}-ad-library`

export const librarySources = askedPlatforms.map(librarySource)

/** The format under which pages of a library are stored. */
export type LibraryFormat = (typeof suppliers)[AskedPlatform]['ads']['pages']

export const libraryFormat = (platform: AskedPlatform): LibraryFormat => suppliers[platform].ads.pages

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

/** Where the App Store shows an ad, by our codes: as its repository names it, and the words for people. */
export const appStorePlacements = {
  'search-results': { upstream: 'APPSTORE_SEARCH_RESULTS', label: 'Search results' },
  'today-tab': { upstream: 'APPSTORE_TODAY_TAB', label: 'Today' },
  'search-tab': { upstream: 'APPSTORE_SEARCH_TAB', label: 'Search tab' },
  'product-page': { upstream: 'APPSTORE_PRODUCT_PAGE', label: 'Product page' },
} as const

export type AppStorePlacement = keyof typeof appStorePlacements

export const placementCodes = Object.keys(appStorePlacements) as AppStorePlacement[]

/** The words for a placement; one that is not known here is named as it came. */
export const placementLabel = (code: string): string =>
  code in appStorePlacements ? appStorePlacements[code as AppStorePlacement].label : `${code} (unknown)`

/** Whether a layout of App Store ads is known here, such as `medium_1`. */
export const isKnownLayout = (variant: string): boolean => /^(?:condensed|medium)_\d{1,2}$/.test(variant)
