/** What a field holds. Its type, column, fact and reader follow from that. */
type Kind =
  /** Text of a length that an index can hold. */
  | 'line'
  | 'text'
  /** Digits. */
  | 'id'
  | 'address'
  | 'addresses'
  /** In the currency beside it. */
  | 'amount'
  | 'currency'
  | 'genre'
  /** The primary one first. */
  | 'genres'
  /** 0 to 5. */
  | 'stars'
  | 'count'
  /** RFC 3339. */
  | 'time'
  | 'languages'
  /** In Apple's order, as the page lists them. */
  | 'purchases'
  /** What each kind of device needs. */
  | 'requirements'

interface FieldRow {
  kind: Kind
  /** Its name in the history of changes, where that is kept. */
  history?: string
  /**
   * Its bit in the stored masks that tell what a sighting showed (`stated` and `hinted`), of every field with a history. A number is
   * never changed or used again: a new field takes the next one, 30 is the last that fits.
   */
  bit?: number
  /** Of the sources that know little of an app, those that state it. Whatever else they say is a hint. */
  statedBy?: readonly ('chart' | 'page')[]
  /** Whether lists of apps show it. */
  listed?: true
}

/**
 * The fields of a store listing, in the order of replies and columns. The column of each is its name in snake case. A new field is a row
 * here, a line in a parser and a migration with its column, and with its word in `listing_field` where its history is kept.
 */
export const listingFields = {
  name: {
    kind: 'line',
    history: 'name',
    bit: 0,
    statedBy: ['chart', 'page'],
  },
  subtitle: {
    kind: 'line',
    history: 'subtitle',
    bit: 1,
    statedBy: ['page'],
  },
  developer: {
    kind: 'line',
    history: 'developer',
    bit: 2,
    statedBy: ['chart'],
    listed: true,
  },
  developerId: {
    kind: 'id',
    listed: true,
  },
  seller: {
    kind: 'text',
    history: 'seller',
    bit: 3,
  },
  sellerUrl: { kind: 'address' },
  bundleId: {
    kind: 'line',
    history: 'bundle-id',
    bit: 8,
    listed: true,
  },
  iconUrl: {
    kind: 'address',
    history: 'icon',
    bit: 11,
    listed: true,
  },
  description: {
    kind: 'text',
    history: 'description',
    bit: 4,
  },
  releaseNotes: { kind: 'text' },
  version: { kind: 'text', history: 'version', bit: 5 },
  price: {
    kind: 'amount',
    history: 'price',
    bit: 6,
    listed: true,
  },
  currency: { kind: 'currency' },
  primaryCategoryId: {
    kind: 'genre',
    history: 'primary-category',
    bit: 7,
    listed: true,
  },
  categoryIds: {
    kind: 'genres',
  },
  rating: {
    kind: 'stars',
    listed: true,
  },
  ratingCount: { kind: 'count', listed: true },
  ratingCurrentVersion: {
    kind: 'stars',
  },
  ratingCountCurrentVersion: {
    kind: 'count',
  },
  releasedAt: {
    kind: 'time',
    listed: true,
  },
  updatedAt: {
    kind: 'time',
    listed: true,
  },
  sizeBytes: { kind: 'count' },
  languages: {
    kind: 'languages',
  },
  minimumOsVersion: {
    kind: 'text',
    history: 'minimum-os-version',
    bit: 10,
  },
  contentRating: {
    kind: 'text',
    history: 'content-rating',
    bit: 9,
  },
  screenshotsIphone: {
    kind: 'addresses',
    history: 'screenshots-iphone',
    bit: 12,
  },
  screenshotsIpad: {
    kind: 'addresses',
    history: 'screenshots-ipad',
    bit: 13,
  },
  screenshotsTv: { kind: 'addresses', history: 'screenshots-tv', bit: 14 },
  previews: { kind: 'addresses', history: 'previews', bit: 15, statedBy: ['page'] },
  inAppPurchases: {
    kind: 'purchases',
    history: 'in-app-purchases',
    bit: 16,
    statedBy: ['page'],
  },
  compatibility: {
    kind: 'requirements',
    history: 'compatibility',
    bit: 17,
    statedBy: ['page'],
  },
  languagesShown: {
    kind: 'text',
    history: 'languages-shown',
    bit: 18,
    statedBy: ['page'],
  },
  sizeShown: {
    kind: 'text',
    history: 'size-shown',
    bit: 19,
    statedBy: ['page'],
  },
  copyright: { kind: 'text', history: 'copyright', bit: 20, statedBy: ['page'] },
} as const satisfies Record<string, FieldRow>

export type ListingField = keyof typeof listingFields

export const allFields = Object.keys(listingFields) as ListingField[]

/** What a field of a listing can hold. */
export type ListingKind = (typeof listingFields)[ListingField]['kind']

/** The fields whose rows say something, such as those with a `history`. */
type FieldsWith<Said extends keyof FieldRow> = {
  [Field in ListingField]: (typeof listingFields)[Field] extends Record<Said, unknown> ? Field : never
}[ListingField]

const fieldsWith = <Said extends keyof FieldRow>(said: Said) =>
  allFields.filter((field): field is FieldsWith<Said> => said in listingFields[field])

export const rowOf = (field: ListingField): FieldRow => listingFields[field]

/** A field whose changes are kept. */
export type TrackedField = FieldsWith<'history'>
/** In the order of their bits. */
export const trackedFields: readonly TrackedField[] = fieldsWith('history').sort(
  (one, other) => listingFields[one].bit - listingFields[other].bit,
)

/** The name the contract gives a field in histories. */
export type HistoryName = (typeof listingFields)[TrackedField]['history']
