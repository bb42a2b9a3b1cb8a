import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'

export type Creative = PaidAd['creatives'][number]
export type Medium = Creative['media'][number]
export type MediaStatus = Creative['mediaStatus']
export type CreativeLink = PaidAd['links'][number]
export type SavedMark = NonNullable<PaidAd['saved']>

/** An ad or a post, where a page shows both. */
export type Piece = { kind: 'ad'; ad: PaidAd } | { kind: 'post'; post: OrganicPost }

/** How an address names an ad or a post: `ad.meta.123`, `post.tiktok_456`. */
export type PieceKey = `ad.${PaidAd['platform']}.${string}` | `post.${string}`

export const adKey = ({ platform, archiveId }: Pick<PaidAd, 'platform' | 'archiveId'>): PieceKey =>
  `ad.${platform}.${archiveId}`

export const postKey = ({ postId }: Pick<OrganicPost, 'postId'>): PieceKey => `post.${postId}`

/** What a key names, as arguments of a call take it. */
export function nameOf(
  key: PieceKey,
): { postId: string } | { platform: PaidAd['platform']; archiveId: string } {
  const [kind, platform, ...id] = key.split('.')
  if (kind === 'post') return { postId: key.slice('post.'.length) }
  return { platform: platform as PaidAd['platform'], archiveId: id.join('.') }
}
