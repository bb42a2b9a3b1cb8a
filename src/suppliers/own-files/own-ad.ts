import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import { inOrder, joinedCountries } from '../../domain/paid-ads/by-country.ts'
import type { AdDraft } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  AdRefusal,
  advertiserIdOf,
  archiveIdOf,
  callToActionOf,
  codesIn,
  countriesIn,
  dayOf,
  fitting,
  formatOfMedia,
  isCode,
  isCountry,
  isLanguage,
  isPublisher,
  languageIn,
  mediumAt,
  publishersIn,
  type ReadMedia,
  requireOneOf,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { nameSeparator } from '../../ingest/mapping/mapped-values.ts'
import { statedTime } from '../../ingest/times.ts'
import { carried, type Unreadable } from '../../ingest/unreadable.ts'
import {
  type AdField,
  type AdFieldKind,
  type AdFieldTypesOf,
  type AdOwnFormatName,
  adFields,
  adFieldsOf,
  adFormats,
  adLevelFieldsWithoutAdvertiser,
  adOwnFormatName,
  type CountryDelivery,
} from '../../vocabulary/ad-fields.ts'
import { type AdPlatform, adPlatforms } from '../../vocabulary/ad-platforms.ts'

const Size = z.number().int().min(1).max(100_000).nullish()
const Seconds = z.number().min(0).max(86_400)

const Medium = z.object({
  kind: z.enum(['video', 'image', 'thumbnail']),
  url: Address.optional(),
  width: Size,
  height: Size,
  durationSeconds: Seconds.nullish(),
  captions: z
    .object({
      language: z.string().max(35).nullish(),
      segments: z.array(z.object({ startSeconds: Seconds, endSeconds: Seconds, text: z.string() })).max(5_000),
    })
    .nullish(),
})

const ShownDay = z.unknown().optional()

/** Days of an ad in a country, in our own shape. */
const Delivery = z.object({
  country: z.string().refine(isCountry, 'must be a country code such as de'),
  firstShownOn: ShownDay,
  firstShownBy: ShownDay,
  lastShownOn: ShownDay,
  knownUntil: ShownDay,
  placements: z
    .array(z.string().refine(isCode, 'must be a placement such as search-results'))
    .max(50)
    .nullish(),
})

/** @throws AdRefusal for an impossible date */
function byCountryOf(value: unknown, name: string): CountryDelivery[] | null | undefined {
  if (value === undefined || value === null) return value
  return joinedCountries(
    [],
    (value as z.output<typeof Delivery>[]).map((one) => {
      const day = (field: 'firstShownOn' | 'firstShownBy' | 'lastShownOn' | 'knownUntil') =>
        dayOf(one[field], `${name}.${field}`) ?? null
      const firstShownOn = day('firstShownOn')
      return {
        country: one.country.toLowerCase(),
        firstShownOn,
        firstShownBy: firstShownOn === null ? day('firstShownBy') : null,
        lastShownOn: day('lastShownOn'),
        knownUntil: day('knownUntil'),
        placements: inOrder(one.placements ?? []),
      }
    }),
  )
}

/** How a kind of value stands in a record, and how it is read. */
interface ValueForm {
  schema: z.ZodType
  /** @throws AdRefusal for an impossible date */
  read(value: unknown, name: string): unknown
}

const asItIs = (value: unknown) => value

const forms: { readonly [Kind in AdFieldKind]: ValueForm } = {
  text: { schema: Text, read: asItIs },
  address: { schema: Address.optional(), read: asItIs },
  names: { schema: Texts, read: asItIs },
  flag: { schema: z.boolean().nullish(), read: (value) => value ?? undefined },
  day: { schema: z.unknown().optional(), read: dayOf },
  format: { schema: z.enum(adFormats).nullish(), read: asItIs },
  language: { schema: Texts, read: languageIn },
  countries: { schema: Texts, read: countriesIn },
  publishers: { schema: Texts, read: publishersIn },
  code: { schema: Text, read: callToActionOf },
  codes: { schema: Texts, read: codesIn },
  byCountry: { schema: z.array(Delivery).max(300).nullish(), read: byCountryOf },
}

/** The schema of a field, by what it holds. */
export const schemaOf = (field: AdField): z.ZodType => forms[adFields[field].kind].schema

/** Fields with their schemas, by their names in our own shape. */
const schemasOf = <Field extends AdField>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [adOwnFormatName(field), schemaOf(field)])) as {
    [F in Field as AdOwnFormatName<F>]: z.ZodType
  }

type ReadValues<Field extends AdField> = {
  [F in Field]: AdFieldTypesOf<Field>[F] | null | undefined | Unreadable
}

/**
 * The values of fields in a record that has the form of their schemas; undefined is not carried.
 * @param nameOf the name of a field in the record, and in the reason why it is refused
 * @throws AdRefusal for an impossible date
 */
export const valuesIn = <Field extends AdField>(
  fields: readonly Field[],
  record: Readonly<Record<string, unknown>> | null | undefined,
  nameOf: (field: Field) => string = adOwnFormatName,
): ReadValues<Field> =>
  Object.fromEntries(
    fields.map((field) => {
      const name = nameOf(field)
      return [field, forms[adFields[field].kind].read(record?.[name], name)]
    }),
  ) as ReadValues<Field>

/** A card or variant in our own shape. */
export const Creative = z.object({
  ...schemasOf(adFieldsOf.creative),
  media: z.array(Medium).max(200).nullish(),
})

/** Its form depends on the platform. */
export const AdvertiserId = z.union([z.string(), z.number()]).nullish()

/** Our own shape: one ad as one observation showed it (docs/imports.md). */
const OwnRecord = z.object({
  platform: z.enum(adPlatforms),
  advertiser: z.object({ id: AdvertiserId, ...schemasOf(adFieldsOf.advertiser) }).nullish(),
  ...schemasOf(adLevelFieldsWithoutAdvertiser),
  observedAt: z.string().nullish(),
  creatives: z.array(Creative).nullish(),
})

/** Fields that only say which ad it is, and when. */
const namingFields = new Set(['platform', 'archiveId', 'observedAt'])
const ownFields = ['creatives', 'advertiser', ...adLevelFieldsWithoutAdvertiser.map(adOwnFormatName)]

/** What cannot stand in a list: for our own shape it is reported. */
const refusedIn: { readonly [Kind in AdFieldKind]?: [isOne: (value: string) => boolean, otherwise: string] } = {
  language: [isLanguage, 'no language code such as en or pt-BR'],
  countries: [isCountry, 'no country code such as us'],
  publishers: [isPublisher, 'no place where Meta shows ads'],
  codes: [isCode, 'no word such as search-results'],
}

/** The platform that a record names, if it is known. */
const platformIn = ({ platform }: Record<string, unknown>): AdPlatform | undefined =>
  adPlatforms.find((known) => known === platform)

/** @throws AdRefusal */
export function readOwnRecord(record: Record<string, unknown>): AdDraft {
  const archiveId = archiveIdOf(record.archiveId, 'archiveId', platformIn(record))
  const others = Object.keys(record).filter((name) => !(name in OwnRecord.shape) && !namingFields.has(name))
  if (others.length > 0) requireOneOf(record, ownFields)
  const { platform, advertiser, ...fitted } = fitting(OwnRecord, record)
  // Other platforms show ads in one place only.
  const reported = platform === 'meta' ? fitted : { ...fitted, publisherPlatforms: undefined }
  for (const field of adLevelFieldsWithoutAdvertiser) refuseOthers(field, reported[adOwnFormatName(field)])
  const creatives = (reported.creatives ?? []).map(creativeOf)
  const observedAt = timeOf(reported.observedAt)
  const stated = {
    ...valuesIn(adFieldsOf.advertiser, advertiser),
    ...valuesIn(adLevelFieldsWithoutAdvertiser, reported),
  }
  return {
    platform,
    archiveId,
    advertiserId: advertiserIdOf(platform, advertiser?.id),
    ...(observedAt ? { observedAt } : {}),
    stated: carried({
      ...stated,
      format: stated.format ?? formatOfMedia(creatives),
      // In our shape the end is left out while an ad runs.
      endedOn: stated.endedOn === undefined && stated.active ? null : stated.endedOn,
    }),
    creatives,
  }
}

/** Unknown fields are dropped from foreign forms, and reported for our own shape. @throws AdRefusal */
function refuseOthers(field: AdField, values: unknown): void {
  const [isOne, otherwise] = refusedIn[adFields[field].kind] ?? []
  if (!isOne || !Array.isArray(values)) return
  const other: string | undefined = values.find((value) => !isOne(value))
  if (other === undefined) return
  const name = adOwnFormatName(field)
  const several = /[,;|]/.test(other) ? ` ${capital(nameSeparator(name))}.` : ''
  throw new AdRefusal('bad-value', `${name}: "${other.slice(0, 100)}" is ${otherwise}.${several}`)
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** Tolerance for wrong clocks; a time further ahead would be the newest for ever. */
const oneDay = 86_400_000

export function timeOf(text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined
  const time = statedTime(text)
  if (!time || time.at.getTime() > Date.now() + oneDay)
    throw new AdRefusal('impossible-date', `observedAt is "${text.slice(0, 60)}".`)
  return time.at
}

/** The text of a button defaults to the words of its code. */
function creativeOf({ media, ...reported }: z.output<typeof Creative>): SeenCreative {
  const callToActionText = reported.callToActionText ?? reported.callToAction ?? undefined
  return creativeAsStated({ ...reported, callToActionText, media: media ?? undefined })
}

/** A card or variant with its stated fields, without derived ones. */
export function creativeAsStated({ media, ...reported }: z.output<typeof Creative>): SeenCreative {
  return carried({
    ...valuesIn(adFieldsOf.creative, reported),
    media: media === null ? null : media?.map(mediumOf),
  })
}

function mediumOf({ kind, url, captions, ...sizes }: z.output<typeof Medium>): ReadMedia[number] {
  const { width, height, durationSeconds } = sizes
  const language = languageIn([captions?.language ?? ''])
  return mediumAt(kind, url, {
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(durationSeconds ? { durationSeconds } : {}),
    ...(captions && captions.segments.length > 0
      ? { captions: { language: typeof language === 'string' ? language : null, segments: captions.segments } }
      : {}),
  })
}
