import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import { inOrder, joinedCountries } from '../../domain/paid-ads/by-country.ts'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  archiveIdOf,
  Digits,
  dayOf,
  fitting,
  formatOfMedia,
  isCode,
  isCountry,
  isRecord,
  languageIn,
  mediumAt,
  type ReadMedia,
  Text,
} from '../../ingest/ads/ad-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import { carried, type Unreadable, unreadable } from '../../ingest/unreadable.ts'
import type { CountryDelivery } from '../../vocabulary/ad-fields.ts'
import { appStorePlacements, askedLibraryRow, placementCodes } from '../../vocabulary/ad-platforms.ts'

const Pixels = z.number().int().min(1).max(100_000).nullish().catch(null)

const Asset = z.object({
  videoUrl: Address.optional(),
  pictureUrl: Address.optional(),
  order: z.number().nullish().catch(null),
  width: Pixels,
  height: Pixels,
})

type Asset = z.output<typeof Asset>

const Banner = z.object({
  iconPictureUrl: Address.optional(),
  subtitle: Text,
  promotionalText: Text,
  shortDescription: Text,
})

const Variation = z.object({
  languageTag: Text,
  appName: Text,
  subTitle: Text,
  promotionalText: Text,
  deviceAssets: z.array(z.object({ previewDevice: Text, adAssets: z.array(Asset).nullish() })).nullish(),
})

/** An ad in a country. The repository gives one id to the same ad in several. */
const Row = z.object({
  appId: Digits,
  appName: Text,
  developerId: Digits,
  developerName: Text,
  legalName: Text,
  placement: z.unknown().optional(),
  format: Text,
  subFormat: Text,
  countryOrRegion: z.unknown().optional(),
  audienceRefinement: z.record(z.string(), z.unknown()).nullish(),
  firstImpressionDate: z.unknown().optional(),
  lastImpressionDate: z.unknown().optional(),
  defaultLanguageTag: Text,
  defaultPreviewDevice: Text,
  adBanner: Banner.nullish(),
  adAssets: z.array(Asset).nullish(),
  adLocaleVariations: z.array(Variation).nullish(),
})

type Row = z.output<typeof Row>

/** The rows of one ad in an answer, and the last day that the answer covers; null where it does not say. */
export interface RowsOfAd {
  adId: unknown
  rows: readonly Record<string, unknown>[]
  dataEndDate: string | null
}

/** An ad of the App Store ad repository: all its rows of an answer, or one by itself. */
export const appleRepositoryAd: AdForm = {
  label: "Apple's ad repository",
  platform: 'apple',
  ids: ['adId'],
  fields: ['countryOrRegion', 'firstImpressionDate', 'lastImpressionDate', 'audienceRefinement', 'adBanner'],
  is: (record) =>
    'adId' in record && ['rows', 'placement', 'developerId', 'appId'].some((name) => name in record),
  read: (record) =>
    readRows(
      Array.isArray(record.rows)
        ? (record as unknown as RowsOfAd)
        : { adId: record.adId, rows: [record], dataEndDate: null },
    ),
}

/** @throws AdRefusal */
function readRows({ adId, rows: given, dataEndDate }: RowsOfAd): AdDraft {
  const archiveId = archiveIdOf(adId, 'adId', 'apple')
  const records = given.map(withoutNullTexts)
  const rows = records.map((record) => fitting(Row, record))
  const appId = rows.map((row) => row.appId).find((id) => id !== null)
  const creatives = eachOnce(rows.flatMap((row, at) => creativesOf(row, pagesNamedIn(records[at]))))
  const first = <Name extends keyof Row>(name: Name) =>
    rows.map((row) => row[name]).find((value) => value !== null && value !== undefined)
  return {
    platform: 'apple',
    archiveId,
    advertiserId: first('developerId') ?? null,
    ...(typeof appId === 'string' && isStoreId(appId) ? { appId } : {}),
    ...(dataEndDate === null ? {} : { observedAt: new Date(dataEndDate) }),
    stated: carried({
      advertiserName: first('developerName'),
      legalName: first('legalName'),
      format: formatOfMedia(creatives),
      targeting: criteriaIn(rows),
      byCountry: deliveriesIn(rows, dataEndDate),
    }),
    creatives,
  }
}

/** Rows of several countries repeat the same variant. */
const eachOnce = (creatives: readonly SeenCreative[]) => [
  ...new Map(creatives.map((creative) => [JSON.stringify(creative), creative])).values(),
]

const isStoreId = (text: string) => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) < 2n ** 63n

/** The service writes a missing value as null, and as the text "null". */
function withoutNullTexts<Value>(value: Value): Value {
  if (value === 'null') return null as Value
  if (Array.isArray(value)) return value.map(withoutNullTexts) as Value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutNullTexts(inner)]),
  ) as Value
}

/** Each country of the rows; a country that cannot be read makes all of them unreadable, since the others would look like all. */
function deliveriesIn(
  rows: readonly Row[],
  knownUntil: string | null,
): CountryDelivery[] | Unreadable | undefined {
  if (rows.every(({ countryOrRegion }) => (countryOrRegion ?? null) === null)) return undefined
  const deliveries: CountryDelivery[] = []
  for (const { countryOrRegion, placement, firstImpressionDate, lastImpressionDate } of rows) {
    const placements = placementsOf(placement)
    if (typeof countryOrRegion !== 'string' || !isCountry(countryOrRegion) || !placements) return unreadable
    deliveries.push({
      country: countryOrRegion.toLowerCase(),
      ...firstDay(firstImpressionDate, knownUntil),
      lastShownOn: dayOf(lastImpressionDate, 'lastImpressionDate') ?? null,
      knownUntil,
      placements,
    })
  }
  return joinedCountries([], deliveries)
}

/** The first day, or the day on or before which it is: "Over 1 Year Ago" is no date. */
function firstDay(
  value: unknown,
  knownUntil: string | null,
): Pick<CountryDelivery, 'firstShownOn' | 'firstShownBy'> {
  if (!/^over 1 year ago$/i.test(shown(value ?? '').trim()))
    return { firstShownOn: dayOf(value, 'firstImpressionDate') ?? null, firstShownBy: null }
  return { firstShownOn: null, firstShownBy: knownUntil && yearBeforeAnswer(knownUntil) }
}

/** The answer is so many days younger than the last day that it covers; its words count from then. */
const youngerDays = askedLibraryRow('apple').lastDays?.endsDaysAgo ?? 0

function yearBeforeAnswer(knownUntil: string): string {
  const [year = 0, month = 1, date = 1] = knownUntil.split('-').map(Number)
  return new Date(Date.UTC(year - 1, month - 1, date + youngerDays)).toISOString().slice(0, 10)
}

/** A placement not known here is kept as it is; undefined for what is no word. */
function placementsOf(value: unknown): string[] | undefined {
  if (value === null || value === undefined) return []
  if (typeof value !== 'string' || !isCode(value.trim())) return undefined
  const upstream = value.trim()
  return inOrder([placementCodes.find((code) => appStorePlacements[code].upstream === upstream) ?? upstream])
}

const criteria = {
  ageTarget: 'age',
  genderTarget: 'gender',
  locationTarget: 'location',
  customerTypeTarget: 'customer-type',
} as const

export const criterionFields = Object.keys(criteria)

/** The kinds of criteria that were used in any row; null where all are said not to be. */
function criteriaIn(rows: readonly Row[]): string[] | null | undefined {
  const told = rows.flatMap(({ audienceRefinement }) => (audienceRefinement ? [audienceRefinement] : []))
  const isUsed = (field: string) => told.some((refinement) => refinement[field] === true)
  const used = Object.entries(criteria).flatMap(([field, code]) => (isUsed(field) ? [code] : []))
  if (used.length > 0) return used
  const isWhole = told.length > 0 && told.every((one) => criterionFields.every((field) => one[field] === false))
  return isWhole ? null : undefined
}

/** The variant in the main language, and those in others, which only the answer about a single ad has. */
function creativesOf(row: Row, productPageId: string | Unreadable | undefined): SeenCreative[] {
  const { adBanner, adAssets, appName, format, subFormat } = row
  const same = { layout: format, layoutVariant: subFormat, productPageId }
  const main = row.defaultLanguageTag ? languageIn([row.defaultLanguageTag]) : undefined
  const others = (row.adLocaleVariations ?? []).flatMap(({ languageTag, deviceAssets, ...variation }) => {
    const locale = languageTag ? languageIn([languageTag]) : undefined
    if (locale === main) return []
    const assets = deviceAssets?.find(
      (one) => deviceOf(one.previewDevice) === deviceOf(row.defaultPreviewDevice),
    )
    return [
      carried({
        title: variation.appName,
        body: variation.promotionalText,
        description: variation.subTitle,
        locale,
        ...same,
        media: mediaIn((assets ?? deviceAssets?.[0])?.adAssets, adBanner?.iconPictureUrl),
      }),
    ]
  })
  return [
    carried({
      title: appName,
      body: adBanner?.promotionalText ?? adBanner?.shortDescription,
      description: adBanner?.subtitle,
      locale: main,
      ...same,
      media: mediaIn(adAssets, adBanner?.iconPictureUrl),
    }),
    ...others,
  ]
}

/** Lists write `iPhone_6.5`, variations `iphone_6_5`. */
const deviceOf = (name: string | null | undefined) => name?.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_') ?? ''

/** The pictures and videos in their order; an ad without any shows the icon. */
function mediaIn(
  assets: readonly Asset[] | null | undefined,
  icon: Asset['pictureUrl'],
): ReadMedia | undefined {
  const media = (assets ?? [])
    .toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0))
    .flatMap(({ videoUrl, pictureUrl, width, height }): ReadMedia => {
      const sizes = { ...(width ? { width } : {}), ...(height ? { height } : {}) }
      if (videoUrl)
        return [mediumAt('video', videoUrl, sizes), ...(pictureUrl ? [mediumAt('thumbnail', pictureUrl)] : [])]
      return pictureUrl ? [mediumAt('image', pictureUrl, sizes)] : []
    })
  if (media.length > 0) return media
  if (icon) return [mediumAt('image', icon)]
  return assets === undefined ? undefined : []
}

const productPage = /[?&]ppid=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/gi

/** The custom product page that addresses of a row name; undefined where none does, unreadable where they name several. */
function pagesNamedIn(row: unknown): string | Unreadable | undefined {
  const named = new Set([...JSON.stringify(row).matchAll(productPage)].map(([, id = '']) => id.toLowerCase()))
  const [id, ...others] = named
  return others.length > 0 ? unreadable : id
}
