import { type AdField, type AdFieldKind, adFields } from '../../vocabulary/ad-fields.ts'
import { adPlatforms, advertiserIdsInWords } from '../../vocabulary/ad-platforms.ts'
import { chartKindsInWords } from '../../vocabulary/chart-kinds.ts'
import { joinWithOr } from '../../vocabulary/join-with-or.ts'
import {
  type ListingFieldKind,
  listingFields,
  listingMappingName,
  mappedListingFields,
} from '../../vocabulary/listing-fields.ts'
import { networks } from '../../vocabulary/networks.ts'
import {
  allPostFields,
  mapMetrics,
  metrics,
  type PostFieldKind,
  postFieldRow,
  postMetrics,
} from '../../vocabulary/post-fields.ts'

/** Fields of a listing, by their names in mappings. */
const listing = Object.fromEntries(
  mappedListingFields.map((field) => [listingMappingName(field), listingFields[field].mapping]),
)

const listingWith = (...kinds: ListingFieldKind[]) =>
  mappedListingFields.filter((field) => kinds.includes(listingFields[field].kind)).map(listingMappingName)

const mappedPostFields = allPostFields.flatMap((field) => {
  const { mapping, kind } = postFieldRow(field)
  return mapping === undefined ? [] : [{ field, mapping, kind }]
})

/** Fields of a post, which mappings name as they are stored. */
const post = Object.fromEntries(mappedPostFields.map(({ field, mapping }) => [field, mapping]))

const postFieldsWith = (...kinds: PostFieldKind[]) =>
  mappedPostFields.filter(({ kind }) => kinds.includes(kind)).map(({ field }) => field)

type MappedAdField = Exclude<AdField, 'byCountry'>

const adFieldNames = (Object.keys(adFields) as AdField[]).filter(
  (field): field is MappedAdField => 'mapping' in adFields[field],
)

/** Fields of an ad, which mappings name as they are stored. */
const ad = Object.fromEntries(adFieldNames.map((field) => [field, adFields[field].mapping])) as Record<
  MappedAdField,
  string
>

const adFieldsWith = (...kinds: AdFieldKind[]) =>
  adFieldNames.filter((field) => kinds.includes(adFields[field].kind))

/** Fields a mapping can fill, by kind of import, with what each means; shown when a mapping is missing or wrong. */
export const mappableFields = {
  catalogue: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    name: listingFields.name.mapping,
    country: 'storefront of the row; otherwise that of the import',
    ...listing,
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  charts: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    rank: 'place, 1 is best, or that the app has none, such as - or >200; otherwise the order of the rows',
    name: 'name of the app',
    developer: 'name of the developer',
    iconUrl: 'address of the icon',
    releasedAt: 'first release, RFC 3339 or a date; a later one than the capture is left out',
    country: 'storefront',
    chart: `${chartKindsInWords}, or the name of an Apple feed`,
    category: 'Apple genre id, or its English name; 36 is all categories',
    device: 'iphone or ipad; iphone when left out',
    capturedAt: 'time of the capture, RFC 3339 or a date',
    requested: 'how many places were asked for, or looked at',
    whole:
      'true where the rows of one time are the whole chart, whatever is missing; false where they are the ranks of some apps; otherwise told by gaps',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  'search-results': {
    term: 'what was searched for',
    country: 'storefront; otherwise that of the import',
    capturedAt: 'time of the capture, RFC 3339 or a date',
    requested: 'how many places were asked for',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  'keyword-ranks': {
    term: 'the keyword (required)',
    day: 'date (required); otherwise that of the import, unless the names of columns are days',
    storeId: "Apple's app id, or an App Store address that holds it; otherwise that of the import (required)",
    country: 'storefront; otherwise that of the import',
    rank: 'place, 1 is best, or that the app has none, such as - or >200',
    device: 'iphone or ipad',
    tool: 'which tool tells it, by its name',
    requested: 'how many places the tool looked at',
    unranked: 'the value that the tool writes for an app without a rank, such as 501 or 1000',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  sales: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    day: 'date (required)',
    country: 'storefront; otherwise that of the import',
    downloads: 'first-time downloads of the day',
    revenue: 'what customers paid that day, as a number',
    currency: 'ISO 4217 code of the revenue',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  organic: {
    postId: '<network>_<native id>; or network and id (required)',
    network: joinWithOr(networks),
    id: 'id the network gave the post',
    url: 'address of the post',
    author: "the author's handle, with or without @",
    ...post,
    videoUrl: 'addresses of videos: a list, or text separated by spaces or what the mapping names',
    imageUrls: 'addresses of pictures: a list, or text separated by spaces or what the mapping names',
    thumbnailUrl: 'address of the still picture of a video',
    durationSeconds: 'length of the video',
    ...mapMetrics((metric) => postMetrics[metric].mapping),
    ...Object.fromEntries(metrics.map((metric) => [`${metric}Hidden`, postMetrics[metric].hiddenMapping])),
    observedAt: 'when the row was observed; otherwise the time of the file',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  'paid-ads': {
    platform: `${joinWithOr(adPlatforms)} (required)`,
    archiveId: 'id of the ad in its library (required)',
    advertiserId: advertiserIdsInWords,
    ...ad,
    videoUrls: 'addresses: a list, or text separated by spaces or what the mapping names',
    imageUrls: 'addresses: a list, or text separated by spaces or what the mapping names',
    observedAt: 'when the library showed it so, RFC 3339 or a date',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
} as const

export type MappedKind = keyof typeof mappableFields

/** Fields that hold a list, whose separators a mapping may name. */
export const listFields: Readonly<Record<MappedKind, readonly string[]>> = {
  catalogue: listingWith('genres', 'languages', 'addresses'),
  charts: [],
  'search-results': [],
  'keyword-ranks': [],
  sales: [],
  organic: [...postFieldsWith('tags', 'addresses'), 'videoUrl', 'imageUrls'],
  'paid-ads': [
    ...adFieldsWith('names', 'language', 'countries', 'publishers', 'codes'),
    'videoUrls',
    'imageUrls',
  ],
}

/** Fields that hold a number, whose form a mapping may name. */
export const numberFields: Readonly<Record<MappedKind, readonly string[]>> = {
  catalogue: listingWith('amount', 'stars', 'count'),
  charts: ['rank', 'requested'],
  'search-results': [],
  'keyword-ranks': ['rank', 'requested'],
  sales: ['downloads', 'revenue'],
  organic: [...postFieldsWith('count'), 'durationSeconds', ...metrics],
  'paid-ads': [],
}

/** Fields that hold a date or time, whose form a mapping may name. */
export const dateFields: Readonly<Record<MappedKind, readonly string[]>> = {
  catalogue: listingWith('time'),
  charts: ['releasedAt', 'capturedAt'],
  'search-results': ['capturedAt'],
  'keyword-ranks': ['day'],
  sales: ['day'],
  organic: [...postFieldsWith('time'), 'observedAt'],
  'paid-ads': [...adFieldsWith('day'), 'observedAt'],
}
