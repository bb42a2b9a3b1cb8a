import {
  addressIn,
  countOf,
  firstOf,
  idOf,
  listedTags,
  listOf,
  type PostForm,
  secondsOf,
  sizeOf,
  wordsAt,
} from '../../ingest/posts/post-draft.ts'
import { unreadable } from '../../ingest/unreadable.ts'

/** Records of the trending collectors: `authorMeta`, `diggCount`, `webVideoUrl`. */
export const tiktokCollected: PostForm = {
  is: (record) => 'authorMeta' in record && ('diggCount' in record || 'playCount' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const handle = at('authorMeta.name')
    const slides = listOf(at('slideshowImageLinks'), (slide) => ({
      kind: 'image',
      url: addressIn(firstOf(slide, 'downloadLink', 'tiktokLink')),
    }))
    return {
      network: 'tiktok',
      id: idOf(at('id')),
      url: addressIn(at('webVideoUrl')),
      author: {
        handle,
        name: wordsAt(record, 'authorMeta.nickName'),
        url: addressIn(at('authorMeta.profileUrl')) ?? profileOf(handle),
        bio: bioOf(record, 'authorMeta', 'signature'),
        followers: countOf(at('authorMeta.fans')),
        links: linksOf(at('authorMeta.bioLink.link', 'authorMeta.bioLink')),
      },
      text: textIn(record, 'text'),
      language: wordsAt(record, 'textLanguage'),
      hashtags: listedTags(at('hashtags'), at('text'), 'name'),
      publishedAt: at('createTime', 'createTimeISO'),
      media:
        slides.length > 0
          ? slides
          : orNone([
              ...(isVideo(record)
                ? [
                    video(
                      at('videoUrl', 'videoMeta.downloadAddr', 'videoUrlNoWaterMark', 'mediaUrls.0'),
                      at('videoMeta.width'),
                      at('videoMeta.height'),
                      secondsOf(at('videoMeta.duration')),
                    ),
                  ]
                : []),
              ...thumbnail(
                at('covers.default', 'covers.origin', 'videoMeta.coverUrl', 'videoMeta.originalCoverUrl'),
              ),
            ]),
      metrics: {
        views: countOf(at('playCount')),
        likes: countOf(at('diggCount')),
        comments: countOf(at('commentCount')),
        shares: countOf(at('shareCount')),
        saves: countOf(at('collectCount')),
      },
    }
  },
}

/** Items as TikTok's own pages hold them: `desc`, `stats`, `author.uniqueId`. */
export const tiktokItem: PostForm = {
  is: (record) => 'id' in record && 'desc' in record && ('stats' in record || 'statsV2' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    // On pages with only the author's handle, `author` is a text.
    const handle = at('author.uniqueId') ?? (typeof at('author') === 'string' ? at('author') : undefined)
    const images = listOf(at('imagePost.images'), (image) => ({
      kind: 'image',
      url: addressIn(firstOf(image, 'imageURL.urlList.0')),
      width: sizeOf(firstOf(image, 'imageWidth')),
      height: sizeOf(firstOf(image, 'imageHeight')),
    }))
    const count = (name: string) => countOf(at(`statsV2.${name}`, `stats.${name}`))
    return {
      network: 'tiktok',
      id: idOf(at('id')),
      author: {
        handle,
        name: wordsAt(record, 'author.nickname', 'nickname'),
        url: profileOf(handle),
        bio: bioOf(record, 'author', 'signature'),
        followers: countOf(at('authorStatsV2.followerCount', 'authorStats.followerCount')),
        links: linksOf(at('author.bioLink.link')),
      },
      text: textIn(record, 'desc'),
      language: wordsAt(record, 'textLanguage'),
      hashtags: tagsOf(record),
      publishedAt: at('createTime'),
      media:
        images.length > 0
          ? images
          : orNone([
              ...(isVideo(record)
                ? [
                    video(
                      at('video.playAddr', 'video.downloadAddr'),
                      at('video.width'),
                      at('video.height'),
                      secondsOf(at('video.duration')),
                    ),
                  ]
                : []),
              ...thumbnail(at('video.cover', 'video.originCover')),
            ]),
      metrics: {
        views: count('playCount'),
        likes: count('diggCount'),
        comments: count('commentCount'),
        shares: count('shareCount'),
        saves: count('collectCount'),
      },
    }
  },
}

/** Records of TikTok's apps: `aweme_id`, `statistics`, underscores, and lengths in milliseconds. */
export const tiktokAweme: PostForm = {
  is: (record) => 'aweme_id' in record,
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const handle = at('author.unique_id')
    const images = listOf(at('image_post_info.images'), (image) => ({
      kind: 'image',
      url: addressIn(firstOf(image, 'display_image.url_list.0')),
      width: sizeOf(firstOf(image, 'display_image.width')),
      height: sizeOf(firstOf(image, 'display_image.height')),
    }))
    const count = (name: string) => countOf(at(`statistics.${name}`))
    return {
      network: 'tiktok',
      id: idOf(at('aweme_id')),
      author: {
        handle,
        name: wordsAt(record, 'author.nickname'),
        url: profileOf(handle),
        bio: bioOf(record, 'author', 'signature'),
        followers: countOf(at('author.follower_count')),
        links: linksOf(at('author.bio_url')),
      },
      text: textIn(record, 'desc'),
      language: wordsAt(record, 'desc_language'),
      hashtags: listedTags(at('text_extra'), at('desc'), 'hashtag_name'),
      publishedAt: at('create_time'),
      media:
        images.length > 0
          ? images
          : orNone([
              ...(isVideo(record)
                ? [
                    video(
                      at('video.play_addr.url_list.0'),
                      at('video.width'),
                      at('video.height'),
                      secondsOf(at('video.duration'), 1000),
                    ),
                  ]
                : []),
              ...thumbnail(at('video.cover.url_list.0', 'video.origin_cover.url_list.0')),
            ]),
      metrics: {
        views: count('play_count'),
        likes: count('digg_count'),
        comments: count('comment_count'),
        shares: count('share_count'),
        saves: count('collect_count'),
      },
    }
  },
}

/** Whether a record is certainly a video; a cover picture alone may belong to photos. */
const isVideo = (record: object) =>
  ['videoMeta', 'videoUrl', 'videoUrlNoWaterMark', 'mediaUrls.0', 'video', 'isVideo'].some(
    (path) => ![undefined, false].includes(firstOf(record, path) as undefined),
  )

export const profileOf = (handle: unknown) =>
  typeof handle === 'string' && /^[\w.]+$/.test(handle) ? `https://www.tiktok.com/@${handle}` : undefined

export const video = (url: unknown, width: unknown, height: unknown, durationSeconds: unknown) => ({
  kind: 'video',
  url: addressIn(url),
  width: sizeOf(width),
  height: sizeOf(height),
  durationSeconds,
})

/** A record without media does not state that the post has none. */
export const orNone = (media: object[]) => (media.length > 0 ? media : undefined)

export const thumbnail = (url: unknown) => (addressIn(url) ? [{ kind: 'thumbnail', url: addressIn(url) }] : [])

/** An empty text is distinct from one that is not carried. */
const textIn = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]

function bioOf(record: object, author: string, field: string): unknown {
  const found = (record as Record<string, unknown>)[author]
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[field] : undefined
}

/** Links in profiles lack their scheme. */
function linksOf(link: unknown): unknown {
  // Where the inner link is empty, only the outer one is used.
  if (link === undefined || (typeof link === 'object' && link !== null && 'link' in link)) return undefined
  const address = addressIn(typeof link === 'string' && !/^https?:/i.test(link) ? `https://${link}` : link)
  return address === unreadable ? unreadable : [address]
}

/** Hashtags come from the annotations of the text, else from the challenges. */
function tagsOf(record: object): unknown {
  const marked = listedTags(firstOf(record, 'textExtra'), firstOf(record, 'desc'), 'hashtagName')
  const challenged = listedTags(firstOf(record, 'challenges'), firstOf(record, 'desc'), 'title')
  return Array.isArray(marked) && marked.length > 0 ? marked : (challenged ?? marked)
}
