export interface InAppPurchase {
  name: string
  /** With its currency, as the storefront writes it. */
  price: string
}

export interface Compatibility {
  device: string
  requirement: string
}

/** An in-app event as the page of an app tells it. Texts are in the language of the page. */
export interface AppEvent {
  /** Digits. */
  eventId: string
  name: string
  /** Such as `Challenge`, as the page writes it. */
  kind: string
  /** RFC 3339. */
  startsAt: string
  /** Null where the page states no end. It can be before the start. */
  endsAt: string | null
  shortDescription: string | null
  description: string | null
  imageUrl: string | null
  videoUrl: string | null
}

/**
 * Where an event stands. One that the newest page no longer shows is `over` where its stated end had passed by then, and
 * `taken-down` where it had not; without a stated end that cannot be told: `gone`.
 */
export const eventStates = ['upcoming', 'running', 'over', 'taken-down', 'gone'] as const

export type EventState = (typeof eventStates)[number]

/** The value of each kind of field. Column type, shape in replies and import reader follow from the kind, too. */
export interface ListingFieldTypes {
  /** Text short enough for an index. */
  line: string
  text: string
  /** Digits. */
  id: string
  address: string
  addresses: string[]
  /** In the currency beside it. */
  amount: number
  currency: string
  genre: number
  /** The primary one first. */
  genres: number[]
  /** 0 to 5. */
  stars: number
  count: number
  /** RFC 3339. */
  time: string
  languages: string[]
  /** In Apple's order, as the page lists them. */
  purchases: InAppPurchase[]
  /** Requirements by kind of device. */
  requirements: Compatibility[]
  /** Short texts, in the order of the page. */
  labels: string[]
  /** By start, then id. */
  events: AppEvent[]
}

export type ListingFieldKind = keyof ListingFieldTypes

interface FieldRow {
  kind: ListingFieldKind
  /** Name in change histories. Left out if no history is kept. */
  history?: string
  /**
   * Bit in the stored masks `stated` and `hinted` of sightings, for every field with a history. Never changed or reused: a new field
   * takes the next number, 30 at most.
   */
  bit?: number
  /**
   * Charts and app pages know little of an app. Those listed here state the field; from the others its value is a hint, which any better
   * source replaces.
   */
  statedBy?: readonly ('chart' | 'page')[]
  /** Name in replies, if they show it as a fact. */
  reply?: string
  /** Description in the contract. */
  about?: string
  /** Whether lists of apps show it. */
  listed?: true
  /** Description in import mappings. Left out if mappings cannot fill it. */
  mapping?: string
  /** Name in import mappings, if different. */
  mappingName?: string
}

const addresses = 'addresses: a list, or text separated by spaces or what the mapping names'

/**
 * The fields of a store listing, in column order. Each column is the key in snake case. A new field needs a row here, a line in a parser
 * and a migration that adds the column, and the key to the domain `listing_field` if a history is kept.
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
  description: { kind: 'text', history: 'description', bit: 4, reply: 'description', mapping: 'description' },
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
  screenshotsIphone: { kind: 'addresses', history: 'screenshots-iphone', bit: 12, mapping: addresses },
  screenshotsIpad: { kind: 'addresses', history: 'screenshots-ipad', bit: 13, mapping: addresses },
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
  tags: {
    kind: 'labels',
    history: 'tags',
    bit: 21,
    statedBy: ['page'],
    reply: 'tags',
    about: "Apple's labels on the page, its categories among them.",
  },
  reviewSummary: {
    kind: 'text',
    history: 'review-summary',
    bit: 22,
    statedBy: ['page'],
    reply: 'reviewSummary',
    about: "Apple's machine-made words on the reviews.",
  },
  events: {
    kind: 'events',
    history: 'events',
    bit: 23,
    statedBy: ['page'],
    reply: 'events',
    about: 'In-app events that the newest page shows; `get_competitor_media` has earlier ones, too.',
  },
  headerMedia: { kind: 'addresses', history: 'header-media', bit: 24, mapping: addresses },
  searchMedia: { kind: 'addresses', history: 'search-media', bit: 25, mapping: addresses },
} as const satisfies Record<string, FieldRow>

export type ListingField = keyof typeof listingFields

export const allListingFields = Object.keys(listingFields) as ListingField[]

/** Fields whose rows have a property, such as `reply`. */
type FieldsWith<Property extends keyof FieldRow> = {
  [Field in ListingField]: (typeof listingFields)[Field] extends Record<Property, unknown> ? Field : never
}[ListingField]

const fieldsWith = <Property extends keyof FieldRow>(property: Property) =>
  allListingFields.filter((field): field is FieldsWith<Property> => property in listingFields[field])

export const listingFieldRow = (field: ListingField): FieldRow => listingFields[field]

/** A field with a change history. */
export type TrackedField = FieldsWith<'history'>
/** Ordered by bit. */
export const trackedFields: readonly TrackedField[] = fieldsWith('history').sort(
  (one, other) => listingFields[one].bit - listingFields[other].bit,
)

/** Name of a field in change histories. */
export type ListingHistoryName = (typeof listingFields)[TrackedField]['history']

/** Words that stand for several fields of change histories: what an app says, and what it shows. */
export const listingFieldGroups = {
  texts: ['name', 'subtitle', 'description'],
  media: [
    'icon',
    'screenshots-iphone',
    'screenshots-ipad',
    'screenshots-tv',
    'previews',
    'header-media',
    'search-media',
  ],
} as const satisfies Record<string, readonly ListingHistoryName[]>

export type ListingFieldGroup = keyof typeof listingFieldGroups

/** A field shown as a fact in replies. */
export type RepliedListingField = FieldsWith<'reply'>
/** Fields shown in lists of apps. */
export const listingFieldsInLists = fieldsWith('listed')
/** In reply order: the subtitle, then the fields of lists, then the rest. */
export const repliedListingFields: readonly RepliedListingField[] = [
  ...new Set<RepliedListingField>(['subtitle', ...listingFieldsInLists, ...fieldsWith('reply')]),
]

/** Fields that import mappings can fill. */
export const mappedListingFields = fieldsWith('mapping')

export const listingMappingName = (field: ListingField): string => listingFieldRow(field).mappingName ?? field
