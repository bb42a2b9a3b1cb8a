import { adPlatforms, advertiserIdsInWords } from '../../vocabulary/ad-platforms.ts'
import { chartKindsInWords } from '../../vocabulary/chart-kinds.ts'
import {
  type ListingKind,
  listingFields,
  mappedFields,
  mappingNameOf,
} from '../../vocabulary/listing-fields.ts'
import { networks } from '../../vocabulary/networks.ts'
import { oneOf } from '../../vocabulary/suppliers.ts'

/** Fields of a listing, by their names in mappings. */
const listing = Object.fromEntries(
  mappedFields.map((field) => [mappingNameOf(field), listingFields[field].mapping]),
)

const listingWith = (...kinds: ListingKind[]) =>
  mappedFields.filter((field) => kinds.includes(listingFields[field].kind)).map(mappingNameOf)

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
    network: oneOf(networks),
    id: 'id the network gave the post',
    url: 'address of the post',
    author: "the author's handle, with or without @",
    authorName: 'name shown on the profile',
    authorUrl: 'address of the profile',
    authorBio: 'what the author writes about themselves',
    followers: 'how many follow the author',
    community: 'subreddit or channel',
    title: 'title',
    text: 'caption, description or body',
    linkUrl: 'address the post shares',
    language: 'BCP 47 code, as the network states it',
    hashtags:
      'a list, or text separated by spaces, commas, ; or |, or what the mapping names; otherwise those of the text',
    publishedAt: 'RFC 3339, a date, or seconds or milliseconds since 1970',
    mediaType: 'video, image, carousel, text or link',
    videoUrl: 'addresses of videos: a list, or text separated by spaces or what the mapping names',
    imageUrls: 'addresses of pictures: a list, or text separated by spaces or what the mapping names',
    thumbnailUrl: 'address of the still picture of a video',
    durationSeconds: 'length of the video',
    views: 'views or plays',
    likes: 'likes, or the score on Reddit',
    comments: 'comments',
    shares: 'shares or reposts',
    saves: 'bookmarks or favourites',
    viewsHidden: 'whether views are hidden: true or false, yes or no, 1 or 0; then no number counts',
    likesHidden: 'whether likes are hidden',
    commentsHidden: 'whether comments are hidden, or switched off',
    sharesHidden: 'whether shares are hidden',
    savesHidden: 'whether saves are hidden',
    observedAt: 'when the row was observed; otherwise the time of the file',
    year: 'year of the dates whose form names none; otherwise that of a date in the file name',
  },
  'paid-ads': {
    platform: `${oneOf(adPlatforms)} (required)`,
    archiveId: 'id of the ad in its library, digits (required)',
    advertiserId: advertiserIdsInWords,
    advertiserName: 'name of the page or business',
    advertiserUrl: 'address of its profile',
    paidBy: 'who pays: a list, or text separated by ; or | or what the mapping names',
    beneficiaries: 'for whom it runs: a list, or text separated by ; or | or what the mapping names',
    format: 'video, image, carousel, dynamic or text; otherwise told by the media',
    language: 'language tag, such as en or pt-BR',
    startedOn: 'first day of delivery',
    endedOn: 'last day of delivery',
    active: 'true or false, active or inactive, yes or no, 1 or 0',
    reachText: 'people reached, as the library words it',
    countries: 'countries of delivery: a list, or text separated by ; or | or what the mapping names',
    publisherPlatforms: 'where Meta shows it: a list, or text separated by ; or | or what the mapping names',
    title: 'headline',
    body: 'main text',
    description: 'text beside the link',
    displayLink: 'link as shown',
    linkUrl: 'address it leads to',
    callToAction: 'code or words of the button, such as SHOP_NOW',
    callToActionText: 'words on the button',
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
  sales: [],
  organic: ['hashtags', 'videoUrl', 'imageUrls'],
  'paid-ads': [
    'paidBy',
    'beneficiaries',
    'language',
    'countries',
    'publisherPlatforms',
    'videoUrls',
    'imageUrls',
  ],
}

/** Fields that hold a number, whose form a mapping may name. */
export const numberFields: Readonly<Record<MappedKind, readonly string[]>> = {
  catalogue: listingWith('amount', 'stars', 'count'),
  charts: ['rank', 'requested'],
  'search-results': [],
  sales: ['downloads', 'revenue'],
  organic: ['followers', 'durationSeconds', 'views', 'likes', 'comments', 'shares', 'saves'],
  'paid-ads': [],
}

/** Fields that hold a date or time, whose form a mapping may name. */
export const dateFields: Readonly<Record<MappedKind, readonly string[]>> = {
  catalogue: listingWith('time'),
  charts: ['releasedAt', 'capturedAt'],
  'search-results': ['capturedAt'],
  sales: ['day'],
  organic: ['publishedAt', 'observedAt'],
  'paid-ads': ['startedOn', 'endedOn', 'observedAt'],
}
