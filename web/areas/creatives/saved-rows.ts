import type { ReplyOf } from '../../api/operations.ts'
import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'
import type { CsvValue } from '../../ui/csv.ts'
import type { Medium, SavedMark } from './shapes.ts'

/** What an account saved. */
export interface Saved {
  ads: PaidAd[]
  posts: ReplyOf<'list_saved_organic_content'>['items']
}

export const header = [
  'kind',
  'id',
  'where',
  'by',
  'title',
  'text',
  'language',
  'from',
  'to',
  'days running',
  'days are',
  'views',
  'likes',
  'engagement rate',
  'outlier score',
  'apps',
  'saved at',
  'note',
  'tags',
  'address',
  'kept media',
] as const

/** A line for each saved ad and post. What is not measured is empty, and no zero. */
export function rowsOf({ ads, posts }: Saved, origin: string): CsvValue[][] {
  return [
    ...ads.map((ad) => adRow(ad, origin)),
    ...posts.map(({ post, ...mark }) => postRow(post, mark, origin)),
  ]
}

function adRow(ad: PaidAd, origin: string): CsvValue[] {
  const creatives = ad.creatives.filter(({ current }) => current)
  const { daysRunning } = ad
  return [
    'ad',
    ad.archiveId,
    ad.platform,
    known(ad.advertiser.name),
    joined(creatives.map(({ title }) => known(title))),
    joined(creatives.map(({ body }) => known(body))),
    known(ad.language),
    known(ad.deliveryStartedOn),
    known(ad.deliveryEndedOn),
    daysRunning.state === 'measured' ? daysRunning.value : null,
    daysRunning.state === 'measured' ? daysRunning.relation : null,
    null,
    null,
    null,
    null,
    appsOf(ad.links),
    ...markCells(ad.saved),
    ad.libraryUrl,
    keptOf(
      ad.creatives.flatMap(({ media }) => media),
      origin,
    ),
  ]
}

function postRow(post: OrganicPost, mark: SavedMark, origin: string): CsvValue[] {
  return [
    'post',
    post.postId,
    post.network,
    post.author.handle,
    known(post.title),
    known(post.text),
    known(post.language),
    known(post.publishedAt),
    null,
    null,
    null,
    known(post.metrics.views),
    known(post.metrics.likes),
    post.engagementRate.state === 'measured' ? post.engagementRate.value : null,
    post.outlierScore.state === 'measured' ? post.outlierScore.value : null,
    appsOf(post.links),
    ...markCells(mark),
    post.url,
    keptOf(post.media, origin),
  ]
}

type Given<Value> = { state: 'measured'; value: Value } | { state: 'absent' } | { state: 'not-measured' }

const known = <Value extends string | number>(fact: Given<Value>): Value | null =>
  fact.state === 'measured' ? fact.value : null

const joined = (texts: readonly (string | null)[]): string | null =>
  [...new Set(texts.filter((text) => text !== null))].join('\n\n') || null

const appsOf = (links: PaidAd['links']): string | null =>
  links.map(({ app }) => `${app.name ?? 'App'} (${app.storeId})`).join('; ') || null

const markCells = (mark: SavedMark | null): CsvValue[] => [
  mark?.savedAt ?? null,
  mark?.note ?? null,
  mark?.tags.join('; ') || null,
]

const keptOf = (media: readonly Medium[], origin: string): string | null =>
  media.flatMap(({ kept }) => (kept.status === 'stored' ? [new URL(kept.url, origin).href] : [])).join(' ') ||
  null
