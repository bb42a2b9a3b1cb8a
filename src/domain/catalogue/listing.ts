import type { Stated } from '../facts/merge.ts'

/** What a store listing holds, in our words. Null means that the source carries the field and had none. */
export interface Listing {
  name: string
  subtitle: string | null
  developer: string | null
  developerId: string | null
  seller: string | null
  sellerUrl: string | null
  bundleId: string | null
  iconUrl: string | null
  description: string | null
  releaseNotes: string | null
  version: string | null
  price: number | null
  currency: string | null
  primaryCategoryId: number | null
  /** The primary one first. */
  categoryIds: number[] | null
  rating: number | null
  ratingCount: number | null
  ratingCurrentVersion: number | null
  ratingCountCurrentVersion: number | null
  /** RFC 3339. */
  releasedAt: string | null
  /** RFC 3339. */
  updatedAt: string | null
  sizeBytes: number | null
  languages: string[] | null
  minimumOsVersion: string | null
  contentRating: string | null
  screenshotsIphone: string[] | null
  screenshotsIpad: string[] | null
  screenshotsTv: string[] | null
  previews: string[] | null
  /** In Apple's order, as the page lists them. */
  inAppPurchases: InAppPurchase[] | null
  /** What each kind of device needs. */
  compatibility: Compatibility[] | null
  /** The languages as the page words them. */
  languagesShown: string | null
  /** The size as the page writes it, such as `142.3 MB`. */
  sizeShown: string | null
  copyright: string | null
}

export interface InAppPurchase {
  name: string
  /** With its currency, as the storefront writes it. */
  price: string
}

export interface Compatibility {
  device: string
  requirement: string
}

export type ListingField = keyof Listing

/** One app as one source showed it: only the fields that source carries. */
export interface AppSighting {
  /** Digits. */
  storeId: string
  listing: Partial<Listing> & Pick<Listing, 'name'>
  /** Values good enough to fill a gap, but not to replace what a better source said. */
  hints?: Partial<Listing>
  /** Fields that the source carried and that cannot be read. */
  unreadable?: readonly ListingField[]
}

/** Fields whose changes are kept, with the name the contract gives each. */
export const trackedFields = {
  name: 'name',
  subtitle: 'subtitle',
  developer: 'developer',
  seller: 'seller',
  description: 'description',
  version: 'version',
  price: 'price',
  primaryCategoryId: 'primary-category',
  bundleId: 'bundle-id',
  contentRating: 'content-rating',
  minimumOsVersion: 'minimum-os-version',
  iconUrl: 'icon',
  screenshotsIphone: 'screenshots-iphone',
  screenshotsIpad: 'screenshots-ipad',
  screenshotsTv: 'screenshots-tv',
  previews: 'previews',
  inAppPurchases: 'in-app-purchases',
  compatibility: 'compatibility',
  languagesShown: 'languages-shown',
  sizeShown: 'size-shown',
  copyright: 'copyright',
} as const satisfies Partial<Record<ListingField, string>>

export type TrackedField = keyof typeof trackedFields

/** The bit of each tracked field in the masks that tell what a sighting showed; new fields are added at the end. */
export const fieldBits = Object.fromEntries(
  Object.keys(trackedFields).map((field, index) => [field, 1 << index]),
) as Record<TrackedField, number>

/**
 * The value of a tracked field as its history keeps it: text, what is a list one a line, null when empty. Apple serves a
 * picture from several hosts by turns, so addresses are kept with the first of them.
 */
export function historyText(listing: Stated<Listing>, field: TrackedField): string | null {
  const value = listing[field]
  if (value === null || value === undefined) return null
  if (field === 'price') return `${value} ${listing.currency ?? ''}`.trim()
  const lines = Array.isArray(value) ? value.map(lineOf) : [String(value)]
  if (lines.length === 0) return null
  return (pictureFields.has(field) ? lines.map(fromFirstHost) : lines).join('\n')
}

function lineOf(item: string | InAppPurchase | Compatibility): string {
  if (typeof item === 'string') return item
  return 'price' in item ? `${item.name}: ${item.price}` : `${item.device}: ${item.requirement}`
}

const fromFirstHost = (address: string) =>
  address.replace(/^(https?:\/\/is)\d+((?:-ssl)?\.mzstatic\.com\/)/, '$11$2')

/** Fields whose values are addresses of pictures or videos. */
export const pictureFields: ReadonlySet<TrackedField> = new Set<TrackedField>([
  'iconUrl',
  'screenshotsIphone',
  'screenshotsIpad',
  'screenshotsTv',
  'previews',
])
