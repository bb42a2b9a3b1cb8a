import { labelFromKey } from './label-from-key.ts'

export const adFormats = ['video', 'image', 'carousel', 'dynamic', 'text'] as const

export type AdFormat = (typeof adFormats)[number]

/** The value of each kind of field. Its shape in replies, the way it is imported and how it is shown follow from the kind, too. */
export interface AdFieldTypes {
  text: string
  address: string
  /** Of people or companies. */
  names: string[]
  flag: boolean
  /** `YYYY-MM-DD`. */
  day: string
  format: AdFormat
  /** BCP 47. */
  language: string
  /** ISO 3166-1 alpha-2 in lower case, sorted. */
  countries: string[]
  /** Where Meta shows an ad, the most seen first. */
  publishers: string[]
  /** Of a button, in lower case with hyphens, such as `install-now`. */
  code: string
  /** In lower case with hyphens; one that is not known here stands as its source writes it. */
  codes: string[]
  byCountry: CountryDelivery[]
}

/** When and where an ad was shown in a country, by a library that says so. Days have no time zone. */
export interface CountryDelivery {
  /** ISO 3166-1 alpha-2 in lower case. */
  country: string
  /** `YYYY-MM-DD`; null where only a bound is known, or nothing. */
  firstShownOn: string | null
  /** The day on or before which it was first shown, where the library names no day; null elsewhere. */
  firstShownBy: string | null
  lastShownOn: string | null
  /** The last day that the answer covers; null where it did not say. */
  knownUntil: string | null
  /** As `placements`. */
  placements: string[]
}

export type AdFieldKind = keyof AdFieldTypes

type AdPart = 'advertiser' | 'content' | 'delivery' | 'audience' | 'creative'

interface FieldRow {
  kind: AdFieldKind
  /** The part of an ad to which it belongs. Those of a `creative` belong to each card or variant. */
  part: AdPart
  /** Whether each observation keeps its own value. Its column in `ad_observations` is the key in snake case. */
  observed?: true
  /** Name in replies, if different from the key. */
  reply?: string
  /** Description in the contract. */
  about?: string
  /** Column of exported tables, if different from the name in replies; null if they do not show it. */
  column?: string | null
  /** Whether exported tables name its observation, too. */
  columnOfEvidence?: true
  /** Label on pages, if different from the key. */
  label?: string
  /** Pages and terminals show it only where a source carries it: most have no such thing. */
  rare?: true
  /** Label at terminals, if different from that on pages. */
  terminalLabel?: string
  /** Description in import mappings, where its name is the key; left out if they cannot name it. */
  mapping?: string
  /** Whether mappings may name a list, with a text for each variant of the ad. */
  listsVariants?: true
  /** Name in records of our own shape, if different from the key. */
  own?: string
}

const names = 'a list, or text separated by ; or | or what the mapping names'

/**
 * What is stored of an ad, part by part, in the order of replies. A new field needs a row here and a line in a parser; one that is
 * `observed` also a migration that adds its column.
 */
export const adFields = {
  advertiserName: {
    kind: 'text',
    part: 'advertiser',
    reply: 'name',
    column: 'advertiser',
    label: 'Advertiser',
    mapping: 'name of the page or business',
    own: 'name',
  },
  advertiserUrl: {
    kind: 'address',
    part: 'advertiser',
    reply: 'profileUrl',
    column: null,
    label: 'Profile',
    mapping: 'address of its profile',
    own: 'url',
  },
  legalName: {
    kind: 'text',
    part: 'advertiser',
    about: 'Name of the legal seller, where the library tells it beside the name.',
    rare: true,
    mapping: 'name of the legal seller',
  },
  paidBy: {
    kind: 'names',
    part: 'advertiser',
    about: 'Who pays for the ad, where the law makes the library say so.',
    mapping: `who pays: ${names}`,
  },
  beneficiaries: {
    kind: 'names',
    part: 'advertiser',
    about: 'For whom it runs, where the law makes the library say so.',
    label: 'On behalf of',
    terminalLabel: 'for',
    mapping: `for whom it runs: ${names}`,
  },
  format: {
    kind: 'format',
    part: 'content',
    mapping: 'video, image, carousel, dynamic or text; otherwise told by the media',
  },
  language: {
    kind: 'language',
    part: 'content',
    about: 'Main language, as the library states it, else detected here from the text.',
    mapping: 'language tag, such as en or pt-BR',
    own: 'languages',
  },
  active: {
    kind: 'flag',
    part: 'delivery',
    observed: true,
    label: 'Status',
    terminalLabel: 'state',
    mapping: 'true or false, active or inactive, yes or no, 1 or 0',
  },
  startedOn: {
    kind: 'day',
    part: 'delivery',
    reply: 'deliveryStartedOn',
    label: 'Start date',
    terminalLabel: 'started',
    mapping: 'first day of delivery',
  },
  endedOn: {
    kind: 'day',
    part: 'delivery',
    observed: true,
    reply: 'deliveryEndedOn',
    about: 'Last day of delivery. Absent while the library shows no end.',
    label: 'End date',
    terminalLabel: 'ended',
    mapping: 'last day of delivery',
  },
  reachText: {
    kind: 'text',
    part: 'delivery',
    observed: true,
    about: 'People reached, worded as the library does, such as `11K` at TikTok or a count for the EU at Meta.',
    column: 'reach',
    columnOfEvidence: true,
    label: 'Reach',
    terminalLabel: 'reached',
    mapping: 'people reached, as the library words it',
  },
  countries: {
    kind: 'countries',
    part: 'audience',
    about: 'Countries the library showed it for; others may be missing.',
    terminalLabel: 'shown in',
    mapping: `countries of delivery: ${names}`,
  },
  publisherPlatforms: {
    kind: 'publishers',
    part: 'audience',
    label: 'Platforms',
    terminalLabel: 'shown on',
    mapping: `where Meta shows it: ${names}`,
  },
  placements: {
    kind: 'codes',
    part: 'audience',
    about:
      'Where in the App Store it was shown: `search-results`, `today-tab`, `search-tab`, `product-page`. Another word is a placement not known here, as the repository writes it.',
    label: 'Placement',
    rare: true,
    mapping: `where in the App Store: ${names}`,
  },
  targeting: {
    kind: 'codes',
    part: 'audience',
    about:
      'Kinds of criteria by which its audience was narrowed: `age`, `gender`, `location`, `customer-type`. Absent where the library says that none was used.',
    label: 'Targeting',
    terminalLabel: 'targeted by',
    rare: true,
    mapping: `kinds of criteria of its audience: ${names}`,
  },
  byCountry: {
    kind: 'byCountry',
    part: 'audience',
    about:
      'First and last day in each country, alphabetically, for libraries that tell them. Days of all stored observations together.',
    column: null,
    label: 'By country',
    rare: true,
  },
  title: { kind: 'text', part: 'creative', mapping: 'headline', listsVariants: true },
  body: {
    kind: 'text',
    part: 'creative',
    about: 'Main text, unshortened and untranslated.',
    mapping: 'main text',
    listsVariants: true,
    own: 'text',
  },
  description: {
    kind: 'text',
    part: 'creative',
    about: 'Text beside the link.',
    mapping: 'text beside the link',
    listsVariants: true,
  },
  displayLink: {
    kind: 'text',
    part: 'creative',
    about: 'The link as shown to people.',
    mapping: 'link as shown',
    listsVariants: true,
  },
  linkUrl: {
    kind: 'address',
    part: 'creative',
    about: 'Address the ad leads to.',
    column: 'landingUrl',
    mapping: 'address it leads to',
  },
  callToAction: { kind: 'code', part: 'creative', mapping: 'code or words of the button, such as SHOP_NOW' },
  callToActionText: {
    kind: 'text',
    part: 'creative',
    about: 'The words on the button.',
    column: null,
    mapping: 'words on the button',
  },
  locale: {
    kind: 'language',
    part: 'creative',
    about: 'Language of this variant, where the library tells variants by language.',
    label: 'Variant language',
    mapping: 'language tag of the variant, such as en-GB',
  },
  layout: {
    kind: 'text',
    part: 'creative',
    about: 'How it is laid out, as the library words it, such as `Icon + Asset Ad`.',
    mapping: 'layout, as the library words it',
  },
  layoutVariant: {
    kind: 'text',
    part: 'creative',
    about: 'Variant of the layout, as the library words it, such as `medium_1`.',
    mapping: 'variant of the layout, as the library words it',
  },
  productPageId: {
    kind: 'text',
    part: 'creative',
    about:
      'Id of the custom product page that it shows or leads to (`ppid`). Not measured where no address names one: that is no sign of the default page.',
    label: 'Custom product page',
    mapping: 'id of its custom product page',
  },
} as const satisfies Record<string, FieldRow>

export type AdField = keyof typeof adFields

type Row<Field extends AdField> = (typeof adFields)[Field]

export const adFieldRow = (field: AdField): FieldRow => adFields[field]

/** The fields of some parts of an ad. */
export type AdFieldOf<Part extends AdPart> = {
  [Field in AdField]: Row<Field>['part'] extends Part ? Field : never
}[AdField]

const fieldsOf = <Part extends AdPart>(part: Part) =>
  (Object.keys(adFields) as AdField[]).filter(
    (field): field is AdFieldOf<Part> => adFields[field].part === part,
  )

/** The fields of each part, in the order of the table. */
export const adFieldsOf = {
  advertiser: fieldsOf('advertiser'),
  content: fieldsOf('content'),
  delivery: fieldsOf('delivery'),
  audience: fieldsOf('audience'),
  creative: fieldsOf('creative'),
}

/** A field of an ad as a whole. */
export type AdLevelField = AdFieldOf<Exclude<AdPart, 'creative'>>

export const adLevelFieldsWithoutAdvertiser = [
  ...adFieldsOf.content,
  ...adFieldsOf.delivery,
  ...adFieldsOf.audience,
]

export const adLevelFields: readonly AdLevelField[] = [
  ...adFieldsOf.advertiser,
  ...adLevelFieldsWithoutAdvertiser,
]

/** The values of some fields. */
export type AdFieldTypesOf<Field extends AdField> = { [F in Field]: AdFieldTypes[Row<F>['kind']] }

/** A field whose value each observation keeps. */
export type ObservedAdField = { [F in AdField]: Row<F> extends { observed: true } ? F : never }[AdField]

export const observedAdFields = adLevelFields.filter(
  (field): field is ObservedAdField => adFieldRow(field).observed === true,
)

/** The label of a field on pages. */
export const adLabel = (field: AdField): string => adFieldRow(field).label ?? labelFromKey(field)

/** The column of a field in exported tables; null if they do not show it. */
export function adColumn(field: AdField): string | null {
  const { column } = adFieldRow(field)
  return column === undefined ? adReplyName(field) : column
}

/** The name of a field in replies. */
export type AdReplyName<Field extends AdField> = Field extends AdField
  ? Row<Field> extends { reply: infer Name }
    ? Name
    : Field
  : never

export const adReplyName = <Field extends AdField>(field: Field) =>
  (adFieldRow(field).reply ?? field) as AdReplyName<Field>

/** The name of a field in records of our own shape. */
export type AdOwnFormatName<Field extends AdField> = Field extends AdField
  ? Row<Field> extends { own: infer Name }
    ? Name
    : Field
  : never

export const adOwnFormatName = <Field extends AdField>(field: Field) =>
  (adFieldRow(field).own ?? field) as AdOwnFormatName<Field>
