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
  /** Its name in replies that show it as a fact. */
  reply?: string
  /** What the contract says of it. */
  about?: string
  /** Whether lists of apps show it. */
  listed?: true
  /** What a mapping of an import that names it is told. */
  mapping?: string
  /** Its name in mappings, where it has another one. */
  mappingName?: string
}

/**
 * The fields of a store listing, in the order of its columns. The column of each is its name in snake case. A new field is a row
 * here, a line in a parser and a migration with its column, and with its word in `listing_field` where its history is kept.
 */
export const listingFields = {
  name: {
    kind: 'line',
    history: 'name',
    bit: 0,
    statedBy: ['chart', 'page'],
    mapping: 'name of the app (required)',
  },
  subtitle: {
    kind: 'line',
    history: 'subtitle',
    bit: 1,
    statedBy: ['page'],
    reply: 'subtitle',
    mapping: 'subtitle',
  },
  developer: {
    kind: 'line',
    history: 'developer',
    bit: 2,
    statedBy: ['chart'],
    reply: 'developer',
    listed: true,
    mapping: 'name of the developer',
  },
  developerId: {
    kind: 'id',
    reply: 'developerId',
    about: "Apple's id of the developer.",
    listed: true,
    mapping: "Apple's id of the developer",
  },
  seller: {
    kind: 'text',
    history: 'seller',
    bit: 3,
    reply: 'seller',
    about: 'Legal name of the seller.',
    mapping: 'legal name of the seller',
  },
  sellerUrl: { kind: 'address', reply: 'sellerUrl', mapping: "the seller's site" },
  bundleId: {
    kind: 'line',
    history: 'bundle-id',
    bit: 8,
    reply: 'bundleId',
    listed: true,
    mapping: 'bundle id',
  },
  iconUrl: {
    kind: 'address',
    history: 'icon',
    bit: 11,
    reply: 'icon',
    listed: true,
    mapping: 'address of the icon',
  },
  description: {
    kind: 'text',
    history: 'description',
    bit: 4,
    reply: 'description',
    mapping: 'description',
  },
  releaseNotes: { kind: 'text', reply: 'releaseNotes', mapping: 'release notes of the version' },
  version: { kind: 'text', history: 'version', bit: 5, reply: 'version', mapping: 'version' },
  price: {
    kind: 'amount',
    history: 'price',
    bit: 6,
    reply: 'price',
    about: 'Zero is measured: the app is free. Pre-orders may have none.',
    listed: true,
    mapping: 'price as a number',
  },
  currency: { kind: 'currency', mapping: 'ISO 4217 code of the price' },
  primaryCategoryId: {
    kind: 'genre',
    history: 'primary-category',
    bit: 7,
    reply: 'primaryCategory',
    listed: true,
    mapping: 'Apple genre id, or its English name',
    mappingName: 'primaryCategory',
  },
  categoryIds: {
    kind: 'genres',
    reply: 'categories',
    mapping: 'genre ids or names: a list, or text separated by ; or | or what the mapping names',
    mappingName: 'categories',
  },
  rating: {
    kind: 'stars',
    reply: 'rating',
    about: 'Average of all ratings in the storefront, 0 to 5 stars.',
    listed: true,
    mapping: 'average of all ratings, 0 to 5',
  },
  ratingCount: { kind: 'count', reply: 'ratingCount', listed: true, mapping: 'number of all ratings' },
  ratingCurrentVersion: {
    kind: 'stars',
    reply: 'ratingCurrentVersion',
    mapping: 'average for the current version',
  },
  ratingCountCurrentVersion: {
    kind: 'count',
    reply: 'ratingCountCurrentVersion',
    mapping: 'number of ratings for the current version',
  },
  releasedAt: {
    kind: 'time',
    reply: 'releasedAt',
    about: 'First release, by Apple.',
    listed: true,
    mapping: 'first release, RFC 3339 or a date',
  },
  updatedAt: {
    kind: 'time',
    reply: 'updatedAt',
    about: 'Release of the current version, by Apple.',
    listed: true,
    mapping: 'release of the current version',
  },
  sizeBytes: { kind: 'count', reply: 'sizeBytes', mapping: 'size in bytes' },
  languages: {
    kind: 'languages',
    reply: 'languages',
    about: 'ISO 639-1 codes in lower case, as the store lists them.',
    mapping: 'language codes, BCP 47: a list, or text separated by ; or | or what the mapping names',
  },
  minimumOsVersion: {
    kind: 'text',
    history: 'minimum-os-version',
    bit: 10,
    reply: 'minimumOsVersion',
    mapping: 'lowest iOS version',
  },
  contentRating: {
    kind: 'text',
    history: 'content-rating',
    bit: 9,
    reply: 'contentRating',
    about: 'Age rating, such as `4+`.',
    mapping: 'age rating, such as 4+',
  },
  screenshotsIphone: {
    kind: 'addresses',
    history: 'screenshots-iphone',
    bit: 12,
    mapping: 'addresses: a list, or text separated by spaces or what the mapping names',
  },
  screenshotsIpad: {
    kind: 'addresses',
    history: 'screenshots-ipad',
    bit: 13,
    mapping: 'addresses: a list, or text separated by spaces or what the mapping names',
  },
  screenshotsTv: { kind: 'addresses', history: 'screenshots-tv', bit: 14 },
  previews: { kind: 'addresses', history: 'previews', bit: 15, statedBy: ['page'] },
  inAppPurchases: {
    kind: 'purchases',
    history: 'in-app-purchases',
    bit: 16,
    statedBy: ['page'],
    reply: 'inAppPurchases',
    about: 'Those the page of the app lists, about ten at most, in its order. Absent: the app offers none.',
  },
  compatibility: {
    kind: 'requirements',
    history: 'compatibility',
    bit: 17,
    statedBy: ['page'],
    reply: 'compatibility',
    about: 'In the language of the storefront.',
  },
  languagesShown: {
    kind: 'text',
    history: 'languages-shown',
    bit: 18,
    statedBy: ['page'],
    reply: 'languagesShown',
    about: 'The languages in the words of the page.',
  },
  sizeShown: {
    kind: 'text',
    history: 'size-shown',
    bit: 19,
    statedBy: ['page'],
    reply: 'sizeShown',
    about: 'The size as the page writes it; `sizeBytes` is exact.',
  },
  copyright: { kind: 'text', history: 'copyright', bit: 20, statedBy: ['page'], reply: 'copyright' },
} as const satisfies Record<string, FieldRow>

export type ListingField = keyof typeof listingFields

export const allFields = Object.keys(listingFields) as ListingField[]

/** What a field of a listing can hold. */
export type ListingKind = (typeof listingFields)[ListingField]['kind']

/** The fields whose rows say something, such as those with a `reply`. */
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

/** A field that replies show as a fact. */
export type RepliedField = FieldsWith<'reply'>
/** Those that lists of apps show. */
export const listedFields = fieldsWith('listed')
/** In the order of replies: what lists show comes first, but for the subtitle, which stands beside the name. */
export const repliedFields: readonly RepliedField[] = [
  ...new Set<RepliedField>(['subtitle', ...listedFields, ...fieldsWith('reply')]),
]

/** Fields that mappings of imports can fill. */
export const mappedFields = fieldsWith('mapping')

export const mappingNameOf = (field: ListingField): string => rowOf(field).mappingName ?? field
