import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { networks } from '../../../src/vocabulary/networks.ts'
import type { AdArguments, Country, PostArguments } from '../../evidence/shapes.ts'
import { isCountry } from '../../evidence/storefronts.ts'
import { adFormats, adSorts, postMedia, postSorts, publisherPlatforms } from '../../evidence/words.ts'
import {
  categoryParam,
  compactSearch,
  dayParam,
  flagParam,
  numberParam,
  oneOfParam,
  sortParam,
  textParam,
} from '../../ui/search-params.ts'
import { metricNames } from './words.ts'

export type AdPlatform = (typeof adPlatforms)[number]

/** What was chosen to stand side by side; every page of the library keeps it in its address. */
export interface ChosenSearch {
  items?: string | undefined
}

const chosen = (search: Record<string, unknown>): ChosenSearch =>
  compactSearch({ items: textParam(search.items, 400) })

/** Several values of one filter, as an address writes them: `video,image`. */
export const valuesOf = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')

export const listOf = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : [...new Set(values)].join(',')

const listParam = (value: unknown, known?: readonly string[]): string | undefined =>
  listOf(
    valuesOf(textParam(value, 1_000))
      .filter((one) => known?.includes(one) ?? true)
      .slice(0, 20),
  )

const eitherParam = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

export interface AdsSearch extends ChosenSearch {
  q?: string
  platform?: AdPlatform
  advertiser?: string
  competitor?: string
  /** Apple's genre of an app the ad is linked to. */
  category?: string
  /** Where the ad was delivered. The storefront of the page is another thing. */
  deliveredIn?: Country
  active?: boolean
  format?: string
  callToAction?: string
  publisherPlatform?: string
  placement?: string
  language?: string
  startedFrom?: string
  startedTo?: string
  minDaysRunning?: number
  saved?: boolean
  tag?: string
  hasTranscript?: boolean
  hasAnalysis?: boolean
  sort?: (typeof adSorts)[number]
}

export const adsSearch = (search: Record<string, unknown>): AdsSearch => ({
  ...chosen(search),
  ...compactSearch({
    q: textParam(search.q),
    platform: oneOfParam(search.platform, adPlatforms),
    advertiser: textParam(search.advertiser),
    competitor: listParam(search.competitor),
    category: categoryParam(search.category),
    deliveredIn: isCountry(search.deliveredIn) ? search.deliveredIn : undefined,
    active: eitherParam(search.active),
    format: listParam(search.format, adFormats),
    callToAction: listParam(search.callToAction),
    publisherPlatform: listParam(search.publisherPlatform, publisherPlatforms),
    placement: listParam(search.placement),
    language: listParam(search.language),
    startedFrom: dayParam(search.startedFrom),
    startedTo: dayParam(search.startedTo),
    minDaysRunning: numberParam(search.minDaysRunning, 1, 100_000),
    saved: eitherParam(search.saved),
    tag: textParam(search.tag, 50),
    hasTranscript: eitherParam(search.hasTranscript),
    hasAnalysis: eitherParam(search.hasAnalysis),
    sort: oneOfParam(search.sort, adSorts),
  }),
})

/** As many as a screen shows; the next pages follow while one scrolls. */
const pageSize = 30

/** What is asked of ads. An address also carries what other pages know, such as a storefront: that is left out. */
export function adArguments(search: AdsSearch): AdArguments {
  const {
    items: _,
    competitor,
    category,
    deliveredIn,
    format,
    callToAction,
    publisherPlatform,
    placement,
    language,
    ...same
  } = adsSearch({ ...search })
  return compactSearch({
    ...same,
    competitor: someOf(competitor),
    categoryId: category,
    country: deliveredIn,
    format: someOf(format) as (typeof adFormats)[number][] | undefined,
    callToAction: someOf(callToAction),
    publisherPlatform: someOf(publisherPlatform) as (typeof publisherPlatforms)[number][] | undefined,
    placement: someOf(placement),
    language: someOf(language),
    limit: pageSize,
  })
}

export interface PostsSearch extends ChosenSearch {
  q?: string
  network?: string
  author?: string
  hashtag?: string
  competitor?: string
  language?: string
  publishedFrom?: string
  publishedTo?: string
  minViews?: number
  mediaType?: string
  saved?: boolean
  sort?: (typeof postSorts)[number]
}

export const postsSearch = (search: Record<string, unknown>): PostsSearch => ({
  ...chosen(search),
  ...compactSearch({
    q: textParam(search.q),
    network: listParam(search.network, networks),
    author: textParam(search.author),
    hashtag: listParam(search.hashtag),
    competitor: listParam(search.competitor),
    language: listParam(search.language),
    publishedFrom: dayParam(search.publishedFrom),
    publishedTo: dayParam(search.publishedTo),
    minViews: numberParam(search.minViews, 0, Number.MAX_SAFE_INTEGER),
    mediaType: listParam(search.mediaType, postMedia),
    saved: eitherParam(search.saved),
    sort: oneOfParam(search.sort, postSorts),
  }),
})

/** What is asked of posts, without what only other pages know. */
export function postArguments(search: PostsSearch): PostArguments {
  const { items: _, network, hashtag, competitor, language, mediaType, ...same } = postsSearch({ ...search })
  return compactSearch({
    ...same,
    network: someOf(network) as (typeof networks)[number][] | undefined,
    hashtag: someOf(hashtag),
    competitor: someOf(competitor),
    language: someOf(language),
    mediaType: someOf(mediaType) as (typeof postMedia)[number][] | undefined,
    limit: pageSize,
  })
}

function someOf(list: string | undefined): string[] | undefined {
  const values = valuesOf(list)
  return values.length === 0 ? undefined : values
}

export interface AdSearch extends ChosenSearch {
  /** The card or variant that is shown, 1 is the first. */
  creative?: number
}

export const adSearch = (search: Record<string, unknown>): AdSearch => ({
  ...chosen(search),
  ...compactSearch({ creative: numberParam(search.creative, 1, 1_000) }),
})

export interface PostSearch extends ChosenSearch {
  /** What is drawn over time; views when left out. */
  metric?: (typeof metricNames)[number]
}

export const postSearch = (search: Record<string, unknown>): PostSearch => ({
  ...chosen(search),
  ...compactSearch({ metric: oneOfParam(search.metric, metricNames) }),
})

export const compareSearch = chosen

export interface SavedSearch extends ChosenSearch {
  tag?: string
  kind?: 'ads' | 'posts'
}

export const savedSearch = (search: Record<string, unknown>): SavedSearch => ({
  ...chosen(search),
  ...compactSearch({
    tag: textParam(search.tag, 50),
    kind: oneOfParam(search.kind, ['ads', 'posts'] as const),
  }),
})

export interface TimelineSearch extends ChosenSearch {
  q?: string
  advertiser?: string
  platform?: AdPlatform
  sort?: string
  active?: true
}

const timelineColumns = ['ad', 'start', 'end', 'days'] as const

export const timelineSearch = (search: Record<string, unknown>): TimelineSearch => ({
  ...chosen(search),
  ...compactSearch({
    q: textParam(search.q),
    advertiser: textParam(search.advertiser),
    platform: oneOfParam(search.platform, adPlatforms),
    sort: sortParam(search.sort, timelineColumns),
    active: flagParam(search.active),
  }),
})
