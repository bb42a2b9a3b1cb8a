import {
  type Around,
  addressIn,
  countOf,
  firstOf,
  idOf,
  isOn,
  listedTags,
  listOf,
  type PostDraft,
  type PostForm,
  secondsOf,
  sizeOf,
  wordIn,
  wordsAt,
} from '../../ingest/posts/post-draft.ts'
import { type Unreadable, unreadable } from '../../ingest/unreadable.ts'
import type { PostMetric } from '../../vocabulary/post-fields.ts'

/** Media of the Graph API: `media_type`, `like_count`, `permalink`. A count that is hidden is left out by the API. */
export const instagramMedia: PostForm = {
  is: (record) =>
    'id' in record &&
    (/^(?:IMAGE|VIDEO|CAROUSEL_ALBUM)$/.test(idOf(firstOf(record, 'media_type'))) ||
      ('like_count' in record && 'comments_count' in record)),
  read(record, around) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    if (at('media_product_type') === 'AD') return 'an ad, no post'
    const permalink = addressIn(at('permalink'))
    const children = listOf(at('children.data'), graphMedium)
    const type = wordIn(types, at('media_type'))
    return {
      network: 'instagram',
      id: shortCodeIn(permalink) ?? idOf(at('shortcode', 'id')),
      url: permalink,
      author: authorOf(at('username', 'owner.username'), {}, around),
      text: (record as { caption?: unknown }).caption,
      publishedAt: at('timestamp'),
      mediaType: type,
      media:
        children.length > 0
          ? children
          : type && type !== 'carousel'
            ? [graphMedium(record), ...thumbnail(at('thumbnail_url'))]
            : undefined,
      metrics: {
        views: countOf(at('view_count', 'video_views')),
        likes: countOf(at('like_count')),
        comments: countOf(at('comments_count')),
        hidden: hiddenIn(record),
      },
    }
  },
}

/** Records of the usual collectors: `shortCode`, `ownerUsername`, `likesCount`, with -1 for a count that is hidden. */
export const instagramCollected: PostForm = {
  is: (record) =>
    ('shortCode' in record || 'shortcode' in record) && ('likesCount' in record || 'ownerUsername' in record),
  read(record, around) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const children = listOf(at('childPosts'), collectedMedium)
    const pictures = [at('images') ?? []].flat().map((url) => ({ kind: 'image', url: addressIn(url) }))
    const type = wordIn(types, at('type'))
    return {
      network: 'instagram',
      id: idOf(at('shortCode', 'shortcode')),
      url: addressIn(at('url')),
      author: authorOf(at('ownerUsername'), { name: wordsAt(record, 'ownerFullName') }, around),
      text: (record as { caption?: unknown }).caption,
      hashtags: listedTags(at('hashtags'), at('caption'), 'name'),
      publishedAt: at('timestamp'),
      mediaType: type,
      media:
        type === 'carousel'
          ? children.length > 0
            ? children
            : pictures.length > 0
              ? pictures
              : undefined
          : type
            ? [collectedMedium(record), ...(type === 'video' ? thumbnail(at('displayUrl')) : [])]
            : undefined,
      metrics: {
        views: shownCount(at('videoPlayCount', 'videoViewCount')),
        likes: shownCount(at('likesCount')),
        comments: shownCount(at('commentsCount')),
        hidden: [
          ...hiddenIn(record),
          ...(isMinus(at('likesCount')) ? ['likes'] : []),
          ...(isMinus(at('commentsCount')) ? ['comments'] : []),
        ],
      },
    }
  },
}

/** Items of Instagram's own apps: `code`, `taken_at`, `media_type` as a number. */
export const instagramItem: PostForm = {
  is: (record) =>
    'code' in record && 'taken_at' in record && ('media_type' in record || 'like_count' in record),
  read(record, around) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const type = wordIn(itemTypes, at('media_type'))
    const cards = listOf(at('carousel_media'), itemMedia).flat()
    const { caption } = record as { caption?: unknown }
    return {
      network: 'instagram',
      id: idOf(at('code')),
      author: authorOf(
        at('user.username', 'owner.username'),
        { name: wordsAt(record, 'user.full_name') },
        around,
      ),
      // A post without a caption has a caption of null.
      text: caption === null || typeof caption === 'string' ? caption : wordsAt(record, 'caption.text'),
      publishedAt: at('taken_at'),
      mediaType: type,
      media: cards.length > 0 ? cards : type && type !== 'carousel' ? itemMedia(record) : undefined,
      metrics: {
        views: countOf(at('play_count', 'ig_play_count', 'view_count')),
        likes: countOf(at('like_count')),
        comments: countOf(at('comment_count')),
        hidden: hiddenIn(record),
      },
    }
  },
}

/** The profile around the posts of one account: of a business discovery, or of a collector. */
export function instagramProfile(record: object): { around: Around; posts: unknown } | undefined {
  const discovered = firstOf(record, 'business_discovery')
  const profile = discovered ?? record
  const posts = firstOf(profile, 'media.data', 'latestPosts')
  if (posts === undefined || firstOf(profile, 'username', 'biography') === undefined) return undefined
  const link = addressIn(firstOf(profile, 'website', 'externalUrl'))
  return {
    posts,
    around: {
      author: {
        handle: firstOf(profile, 'username'),
        name: firstOf(profile, 'name', 'fullName'),
        bio: firstOf(profile, 'biography'),
        followers: countOf(firstOf(profile, 'followers_count', 'followersCount')),
        ...(link ? { links: link === unreadable ? link : [link] } : {}),
      },
    },
  }
}

type MediaType = 'image' | 'video' | 'carousel'

const types: ReadonlyMap<string, MediaType> = new Map([
  ['IMAGE', 'image'],
  ['VIDEO', 'video'],
  ['CAROUSEL_ALBUM', 'carousel'],
  ['Image', 'image'],
  ['Video', 'video'],
  ['Sidecar', 'carousel'],
])

const itemTypes: ReadonlyMap<string, MediaType> = new Map([
  ['1', 'image'],
  ['2', 'video'],
  ['8', 'carousel'],
])

/** The media of a known type; undefined for unknown types. */
function itemMedia(item: unknown): unknown[] {
  const type = wordIn(itemTypes, firstOf(item, 'media_type'))
  if (type === unreadable) return [unreadable]
  const isVideo = type === 'video'
  const picture = firstOf(item, 'image_versions2.candidates.0')
  const film = isVideo ? firstOf(item, 'video_versions.0') : picture
  const medium = {
    kind: isVideo ? 'video' : 'image',
    url: addressIn(firstOf(film, 'url')),
    width: sizeOf(firstOf(film, 'width')),
    height: sizeOf(firstOf(film, 'height')),
  }
  return isVideo
    ? [
        { ...medium, durationSeconds: secondsOf(firstOf(item, 'video_duration')) },
        ...thumbnail(firstOf(picture, 'url')),
      ]
    : [medium]
}

/** Counts that the author hides: a number in the record nevertheless is not the network's. */
export function hiddenIn(record: object): PostMetric[] {
  const isSwitched = (...names: string[]) => names.some((name) => isOn(firstOf(record, name)))
  return [
    ...(isSwitched('like_and_view_counts_disabled', 'likeAndViewCountsDisabled', 'like_and_view_counts_hidden')
      ? (['views', 'likes'] as const)
      : []),
    ...(isSwitched('comments_disabled', 'commentsDisabled', 'isCommentsDisabled')
      ? (['comments'] as const)
      : []),
  ]
}

export function authorOf(handle: unknown, own: { name?: unknown }, { author }: Around): PostDraft['author'] {
  // A profile can contain posts of others in which it is tagged.
  const around = author && (handle === undefined || handle === author.handle) ? author : {}
  const known = handle ?? around.handle
  return {
    ...around,
    ...(own.name === undefined ? {} : { name: own.name }),
    handle: known,
    url:
      typeof known === 'string' && /^[\w.]+$/.test(known) ? `https://www.instagram.com/${known}/` : undefined,
  }
}

/** The short code in the public address of a post, which identifies it. */
const shortCodeIn = (address: string | Unreadable | undefined) =>
  /^https?:\/\/(?:www\.)?instagram\.com\/(?:[\w.]+\/)?(?:p|reel|reels|tv)\/([\w-]+)/i.exec(
    typeof address === 'string' ? address : '',
  )?.[1]

function graphMedium(medium: unknown) {
  const type = wordIn(types, firstOf(medium, 'media_type'))
  if (type === unreadable) return unreadable
  return { kind: type === 'video' ? 'video' : 'image', url: addressIn(firstOf(medium, 'media_url')) }
}

function collectedMedium(medium: unknown) {
  const type = wordIn(types, firstOf(medium, 'type'))
  if (type === unreadable) return unreadable
  const isVideo = type === 'video'
  return {
    kind: isVideo ? 'video' : 'image',
    url: addressIn(isVideo ? firstOf(medium, 'videoUrl') : firstOf(medium, 'displayUrl')),
    width: sizeOf(firstOf(medium, 'dimensionsWidth')),
    height: sizeOf(firstOf(medium, 'dimensionsHeight')),
    ...(isVideo ? { durationSeconds: secondsOf(firstOf(medium, 'videoDuration')) } : {}),
  }
}

export const thumbnail = (url: unknown) => (addressIn(url) ? [{ kind: 'thumbnail', url: addressIn(url) }] : [])

export const isMinus = (count: unknown) => count === -1 || count === '-1'

export const shownCount = (count: unknown) => (isMinus(count) ? undefined : countOf(count))
