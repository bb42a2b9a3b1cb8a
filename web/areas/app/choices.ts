import type { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import type { networks } from '../../../src/vocabulary/networks.ts'
import type { ReplyOf } from '../../api/operations.ts'
import type { DataRequest } from '../../evidence/shapes.ts'
import {
  type adFormats,
  adSorts,
  type dataKinds,
  type postMedia,
  postSorts,
  valuesInOrder,
} from '../../evidence/words.ts'

/** The options of the filters of the app's tabs, with their labels. */

export type MediaItem = ReplyOf<'get_competitor_media'>['items'][number]
export type ListingChange = ReplyOf<'get_competitor_aso'>['timeline'][number]
export type ListingField = ListingChange['fields'][number]['field']

export const requestStatusInWords = {
  open: 'Open',
  fulfilled: 'Fulfilled',
  dismissed: 'Dismissed',
} as const satisfies Record<DataRequest['status'], string>
export const requestStatuses = valuesInOrder(requestStatusInWords)

export const mediaKindInWords = {
  icon: 'Icons',
  screenshot: 'Screenshots',
  preview: 'Previews',
  header: 'Page headers',
  'search-result': 'Search result media',
} as const satisfies Record<MediaItem['kind'], string>
export const mediaKinds = valuesInOrder(mediaKindInWords)

export const mediaDevices = ['iphone', 'ipad', 'tv'] as const satisfies readonly MediaItem['device'][]

export const mediaDeviceInWords: Record<MediaItem['device'], string> = {
  iphone: 'iPhone',
  ipad: 'iPad',
  tv: 'Apple TV',
  any: 'All devices',
}

/** Without a search text, "best match" is not offered. */
export const appPostSorts = postSorts.filter((sort) => sort !== 'relevance')
export const appAdSorts = adSorts.filter((sort) => sort !== 'relevance')

export const activeInWords = { yes: 'Active', no: 'Inactive' } as const

/** Labels of listing fields that differ from their names. */
const otherWords: { [field: string]: string } = {
  'screenshots-iphone': 'iPhone screenshots',
  'screenshots-ipad': 'iPad screenshots',
  'screenshots-tv': 'Apple TV screenshots',
  'in-app-purchases': 'In-app purchases',
  tags: 'Apple’s tags',
  'review-summary': 'Apple’s review summary',
  events: 'In-app events',
  'header-media': 'Page header',
  'search-media': 'Search result media',
  'minimum-os-version': 'Minimum OS version',
} satisfies Partial<Record<ListingField, string>>

/** A field of the listing in words, such as `Primary category`. */
export function listingFieldInWords(field: string): string {
  const words = field.replaceAll('-', ' ')
  return otherWords[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The search parameters of each tab; invalid ones get their defaults. */
export interface PostsSearch {
  network?: (typeof networks)[number] | undefined
  media?: (typeof postMedia)[number] | undefined
  sort?: (typeof appPostSorts)[number] | undefined
}

export interface AdsSearch {
  platform?: (typeof adPlatforms)[number] | undefined
  format?: (typeof adFormats)[number] | undefined
  active?: keyof typeof activeInWords | undefined
  sort?: (typeof appAdSorts)[number] | undefined
}

export interface RequestsSearch {
  status?: (typeof requestStatuses)[number] | undefined
  kind?: (typeof dataKinds)[number] | undefined
}

/** Where an app stands for a keyword, as the filter of its keywords has it. */
export const keywordStandings = ['ranked', 'absent', 'not-measured'] as const
