import type { ReplyOf } from '../../api/operations.ts'
import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'

/** What the filters of the app's tabs offer. The words for each stand beside it. */

export type DataRequest = ReplyOf<'list_competitor_data_requests'>['items'][number]
export type MediaItem = ReplyOf<'get_competitor_media'>['items'][number]
export type ListingChange = ReplyOf<'get_competitor_aso'>['timeline'][number]
export type ListingField = ListingChange['fields'][number]['field']

type MeasuredValue<Fact> = Extract<Fact, { state: 'measured' }> extends { value: infer Value } ? Value : never

export const dataKinds = [
  'record',
  'media',
  'aso',
  'charts',
  'similar',
  'organic',
  'estimates',
] as const satisfies readonly DataRequest['kind'][]

export const requestStatuses = [
  'open',
  'fulfilled',
  'dismissed',
] as const satisfies readonly DataRequest['status'][]

export const requestStatusInWords = { open: 'Open', fulfilled: 'Fulfilled', dismissed: 'Dismissed' } as const

export const mediaKinds = ['icon', 'screenshot', 'preview'] as const satisfies readonly MediaItem['kind'][]

export const mediaKindInWords = { icon: 'Icons', screenshot: 'Screenshots', preview: 'Previews' } as const

export const mediaDevices = ['iphone', 'ipad', 'tv'] as const satisfies readonly MediaItem['device'][]

export const mediaDeviceInWords: Record<MediaItem['device'], string> = {
  iphone: 'iPhone',
  ipad: 'iPad',
  tv: 'Apple TV',
  any: 'every device',
}

export const postNetworks = [
  'tiktok',
  'instagram',
  'youtube',
  'reddit',
  'x',
] as const satisfies readonly OrganicPost['network'][]

export const postMedia = [
  'video',
  'image',
  'carousel',
  'text',
  'link',
] as const satisfies readonly MeasuredValue<OrganicPost['mediaType']>[]

export const postMediaInWords = {
  video: 'Video',
  image: 'Image',
  carousel: 'Carousel',
  text: 'Text',
  link: 'Link',
} as const

export const postSorts = ['recent', 'views', 'engagement', 'outlier'] as const

export const postSortInWords = {
  recent: 'Newest first',
  views: 'Most views',
  engagement: 'Most engagement',
  outlier: 'Furthest outliers',
} as const

export const adPlatforms = ['meta', 'tiktok'] as const satisfies readonly PaidAd['platform'][]

export const adFormats = [
  'video',
  'image',
  'carousel',
  'dynamic',
  'text',
] as const satisfies readonly MeasuredValue<PaidAd['format']>[]

export const adFormatInWords = {
  video: 'Video',
  image: 'Image',
  carousel: 'Carousel',
  dynamic: 'Dynamic',
  text: 'Text',
} as const

export const adSorts = ['recent', 'longest-running', 'last-observed'] as const

export const adSortInWords = {
  recent: 'Newest first',
  'longest-running': 'Longest running',
  'last-observed': 'Observed last',
} as const

export const activeInWords = { yes: 'Running', no: 'Ended' } as const

/** Fields of the listing that are not called by their names. */
const otherWords: { [field: string]: string } = {
  'screenshots-iphone': 'iPhone screenshots',
  'screenshots-ipad': 'iPad screenshots',
  'screenshots-tv': 'Apple TV screenshots',
  'in-app-purchases': 'In-app purchases',
  'minimum-os-version': 'Minimum OS version',
} satisfies Partial<Record<ListingField, string>>

/** A field of the listing in words, such as `Primary category`. */
export function listingFieldInWords(field: string): string {
  const words = field.replaceAll('-', ' ')
  return otherWords[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** What the address of each tab may say; everything else stands for its usual value. */
export interface PostsSearch {
  network?: (typeof postNetworks)[number] | undefined
  media?: (typeof postMedia)[number] | undefined
  sort?: (typeof postSorts)[number] | undefined
}

export interface AdsSearch {
  platform?: (typeof adPlatforms)[number] | undefined
  format?: (typeof adFormats)[number] | undefined
  active?: keyof typeof activeInWords | undefined
  sort?: (typeof adSorts)[number] | undefined
}

export interface RequestsSearch {
  status?: (typeof requestStatuses)[number] | undefined
  kind?: (typeof dataKinds)[number] | undefined
}
