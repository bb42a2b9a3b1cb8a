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

/**
 * Fields whose changes are kept: the name the contract gives each, and the place of its bit in the stored masks that tell what a sighting
 * showed (`stated` and `hinted`). A place is never changed or used again: a new field takes the next one, 30 is the last that fits.
 */
export const trackedFields = {
  name: { name: 'name', bit: 0 },
  subtitle: { name: 'subtitle', bit: 1 },
  developer: { name: 'developer', bit: 2 },
  seller: { name: 'seller', bit: 3 },
  description: { name: 'description', bit: 4 },
  version: { name: 'version', bit: 5 },
  price: { name: 'price', bit: 6 },
  primaryCategoryId: { name: 'primary-category', bit: 7 },
  bundleId: { name: 'bundle-id', bit: 8 },
  contentRating: { name: 'content-rating', bit: 9 },
  minimumOsVersion: { name: 'minimum-os-version', bit: 10 },
  iconUrl: { name: 'icon', bit: 11 },
  screenshotsIphone: { name: 'screenshots-iphone', bit: 12 },
  screenshotsIpad: { name: 'screenshots-ipad', bit: 13 },
  screenshotsTv: { name: 'screenshots-tv', bit: 14 },
  previews: { name: 'previews', bit: 15 },
  inAppPurchases: { name: 'in-app-purchases', bit: 16 },
  compatibility: { name: 'compatibility', bit: 17 },
  languagesShown: { name: 'languages-shown', bit: 18 },
  sizeShown: { name: 'size-shown', bit: 19 },
  copyright: { name: 'copyright', bit: 20 },
} as const satisfies Partial<Record<ListingField, { name: string; bit: number }>>

export type TrackedField = keyof typeof trackedFields

/** The bit of each tracked field in those masks. */
export const fieldBits = Object.fromEntries(
  Object.entries(trackedFields).map(([field, { bit }]) => [field, 1 << bit]),
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
