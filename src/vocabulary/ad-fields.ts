import { keyInWords } from './key-in-words.ts'

export const adFormats = ['video', 'image', 'carousel', 'dynamic', 'text'] as const

export type AdFormat = (typeof adFormats)[number]

/** The value of each kind of field. Its shape in replies, the way it is imported and how it is shown follow from the kind, too. */
export interface AdValues {
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
}

export type AdKind = keyof AdValues

type AdPart = 'advertiser' | 'content' | 'delivery' | 'audience' | 'creative'

interface FieldRow {
  kind: AdKind
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
  /** Label at terminals, if different from that on pages. */
  terminalLabel?: string
  /** Description in import mappings, where its name is the key. */
  mapping: string
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
    label: 'State',
    mapping: 'true or false, active or inactive, yes or no, 1 or 0',
  },
  startedOn: {
    kind: 'day',
    part: 'delivery',
    reply: 'deliveryStartedOn',
    label: 'Started',
    mapping: 'first day of delivery',
  },
  endedOn: {
    kind: 'day',
    part: 'delivery',
    observed: true,
    reply: 'deliveryEndedOn',
    about: 'Last day of delivery. Absent while the library shows no end.',
    label: 'Ended',
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
    label: 'Shown on',
    mapping: `where Meta shows it: ${names}`,
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
export type WholeAdField = AdFieldOf<Exclude<AdPart, 'creative'>>

export const fieldsBesideAdvertiser = [...adFieldsOf.content, ...adFieldsOf.delivery, ...adFieldsOf.audience]

export const wholeAdFields: readonly WholeAdField[] = [...adFieldsOf.advertiser, ...fieldsBesideAdvertiser]

/** The values of some fields. */
export type AdValuesOf<Field extends AdField> = { [F in Field]: AdValues[Row<F>['kind']] }

/** A field whose value each observation keeps. */
export type ObservedField = { [F in AdField]: Row<F> extends { observed: true } ? F : never }[AdField]

export const observedFields = wholeAdFields.filter(
  (field): field is ObservedField => adFieldRow(field).observed === true,
)

/** The label of a field on pages. */
export const adLabel = (field: AdField): string => adFieldRow(field).label ?? keyInWords(field)

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
export type AdOwnName<Field extends AdField> = Field extends AdField
  ? Row<Field> extends { own: infer Name }
    ? Name
    : Field
  : never

export const adOwnName = <Field extends AdField>(field: Field) =>
  (adFieldRow(field).own ?? field) as AdOwnName<Field>
