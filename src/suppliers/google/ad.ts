import { z } from 'zod'
import type { AdDraft, AdForm, AdRow } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  advertiserIdOf,
  archiveIdOf,
  callToActionOf,
  countriesIn,
  dayOf,
  fitting,
  isRecord,
  mediumAt,
  type ReadMedia,
  Text,
} from '../../ingest/ads/ad-values.ts'
import { carried, type Unreadable, unreadable } from '../../ingest/unreadable.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'

/** Names of a field: in the public data set first, then as collectors write them. */
const names = {
  id: ['creative_id', 'ad_creative_id', 'creativeId', 'Ad_ID'],
  advertiserId: ['advertiser_id', 'advertiserId', 'Advertiser_ID'],
  advertiser: [
    'advertiser_disclosed_name',
    'advertiser_name',
    'advertiserName',
    'Advertiser_Name',
    'advertiser',
  ],
  payer: ['ad_funded_by'],
  format: ['ad_format_type', 'format', 'Ad_Type'],
  first: ['first_shown', 'firstShown', 'first_shown_datetime', 'firstShownAt', 'Date_Range_Start'],
  last: ['last_shown', 'lastShown', 'last_shown_datetime', 'lastShownAt', 'Date_Range_End'],
  regions: ['region_stats', 'region_code', 'regions', 'Regions'],
  title: ['headline'],
  body: ['description'],
  shownLink: ['displayUrl', 'display_url'],
  link: ['destinationUrl', 'destination_url', 'landing_url'],
  button: ['callToAction', 'call_to_action'],
  picture: ['imageUrl', 'image_url', 'image'],
  pictures: ['imageUrls', 'image_urls'],
  video: ['videoUrl', 'video_url', 'video_link'],
  videos: ['videoUrls', 'video_urls'],
} as const

type Name = keyof typeof names

const named = (record: Record<string, unknown>, name: Name): unknown =>
  names[name].map((key) => record[key]).find((value) => value !== undefined)

const Addresses = z.array(Address).nullish()

const Ad = z.object({
  advertiser: Text,
  payer: Text,
  format: Text,
  title: Text,
  body: Text,
  shownLink: Text,
  button: Text,
  link: Address.optional(),
  picture: Address.optional(),
  pictures: Addresses,
  video: Address.optional(),
  videos: Addresses,
})
type Ad = z.output<typeof Ad>

/** Fields that are of ads alone. */
const ofAds: readonly string[] = [
  'creative_page_url',
  'ad_format_type',
  'region_stats',
  'region_code',
  'first_shown',
  'last_shown',
  'firstShown',
  'lastShown',
  'Ad_URL',
  'Ad_Type',
]

/** As one collector writes it: the id of the ad alone is `id`, and the advertiser an object. */
const isByItself = ({ id, advertiser }: Record<string, unknown>) =>
  typeof id === 'string' && /^CR\d/.test(id) && isRecord(advertiser)

function withUsualNames(record: Record<string, unknown>): Record<string, unknown> {
  if (!isByItself(record)) return record
  const { id, advertiser, image, ...others } = record
  const { id: advertiser_id, name } = advertiser as Record<string, unknown>
  return {
    ...others,
    ...{ creative_id: id, advertiser_id, advertiser: name, image: isRecord(image) ? image.link : image },
  }
}

/**
 * An ad of Google's Ads Transparency Center: a row of `creative_stats`, nested or one for each region, of the tables of
 * political ads, or of a collector. How often it was shown, and what was spent, are not read.
 */
export const googleAd: AdForm = {
  label: "Google's ads transparency tables",
  platform: 'google',
  ids: names.id,
  fields: [...names.advertiserId, ...ofAds],
  is: (record) =>
    isByItself(record) ||
    (names.id.some((name) => name in record) && names.advertiserId.some((name) => name in record)),
  joined: joinedRegions,
  read: readGoogleAd,
}

/** @throws AdRefusal */
function readGoogleAd(given: Record<string, unknown>): AdDraft {
  const record = withUsualNames(given)
  const archiveId = archiveIdOf(named(record, 'id'), 'creative_id', 'google')
  const ad = fitting(
    Ad,
    Object.fromEntries((Object.keys(names) as Name[]).map((name) => [name, named(record, name)])),
  )
  const spans = spansOf(record)
  const days = (name: 'first' | 'last') => spans.flatMap((span) => dayOf(span[name], `${name}_shown`) ?? [])
  const media = mediaOf(ad)
  return {
    platform: 'google',
    archiveId,
    advertiserId: advertiserIdOf('google', named(record, 'advertiserId')),
    stated: carried({
      advertiserName: ad.advertiser,
      paidBy: ad.payer ? [ad.payer] : undefined,
      format: formatOf(ad.format),
      startedOn: days('first').sort().at(0),
      endedOn: days('last').sort().at(-1),
      countries: regionsOf(record),
    }),
    creatives: [
      carried({
        title: ad.title,
        body: ad.body,
        displayLink: ad.shownLink,
        linkUrl: ad.link,
        callToAction: callToActionOf(ad.button),
        callToActionText: ad.button,
        media,
      }),
    ].filter((creative) => Object.keys(creative).length > 0),
  }
}

interface Span {
  region?: unknown
  first?: unknown
  last?: unknown
}

/** When and where it was shown: as a whole, and in each region. */
function spansOf(record: Record<string, unknown>): Span[] {
  const regions = named(record, 'regions')
  const parts = Array.isArray(regions) ? regions.filter(isRecord) : []
  return [record, ...parts].map((one) => ({
    region: one.region_code ?? one.regionCode ?? one.code,
    first: named(one, 'first'),
    last: named(one, 'last'),
  }))
}

function regionsOf(record: Record<string, unknown>): string[] | null | undefined | Unreadable {
  const told = named(record, 'regions')
  if (typeof told === 'string') return countriesIn(told.split(/[\s,;|]+/))
  if (!Array.isArray(told)) return undefined
  return countriesIn(
    told.map((one) => String(isRecord(one) ? (one.region_code ?? one.regionCode ?? one.code ?? '') : one)),
  )
}

const formats: ReadonlyMap<string, AdFormat> = new Map([
  ['text', 'text'],
  ['image', 'image'],
  ['video', 'video'],
])

const formatOf = (said: string | null | undefined) =>
  said ? (formats.get(said.toLowerCase()) ?? unreadable) : undefined

function mediaOf({ picture, pictures, video, videos }: Ad): ReadMedia | undefined {
  const films = [...(video ? [video] : []), ...(videos ?? [])]
  const stills = [...(picture ? [picture] : []), ...(pictures ?? [])]
  if (films.length + stills.length === 0) return undefined
  return [
    ...[...new Set(films)].map((url) => mediumAt('video', url)),
    ...[...new Set(stills)].map((url) => mediumAt(films.length > 0 ? 'thumbnail' : 'image', url)),
  ]
}

/** The data set as a flat table has a row for each region of an ad: they are one record. */
function joinedRegions(rows: readonly AdRow[]): AdRow[] {
  const joined = new Map<string, AdRow & { record: Record<string, unknown> }>()
  for (const row of rows) {
    if (!isRecord(row.record)) continue
    const { region_code, first_shown, last_shown, ...record } = row.record
    const region = { region_code, first_shown, last_shown }
    const key = String(named(record, 'id'))
    const known = region_code === undefined ? undefined : joined.get(key)
    if (known) (known.record.region_stats as unknown[]).push(region)
    else if (region_code === undefined) joined.set(`${key} ${row.position}`, { ...row, record: row.record })
    else joined.set(key, { ...row, record: { ...record, region_stats: [region] } })
  }
  return [...joined.values()]
}

/** Tables of the same data set, and of the political ads beside it, that hold no ads. */
export const googleAdvertisers = {
  is: (columns: readonly string[]) =>
    columns.some((name) => /^advertiser_id$/i.test(name)) &&
    columns.some((name) => /^(?:advertiser_disclosed_name|advertiser_name)$/i.test(name)) &&
    !columns.some((name) => (names.id as readonly string[]).includes(name) || ofAds.includes(name)),
  reason:
    "Google's table of advertisers, which has no ads: import its table of creatives, and link them by advertiser",
}
