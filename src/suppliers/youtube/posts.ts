import { isCalendarDate } from '../../ingest/fields.ts'
import {
  addressIn,
  countOf,
  firstOf,
  idOf,
  isOn,
  listedTags,
  type PostForm,
  sizeOf,
  withoutEntities,
} from '../../ingest/posts/post-draft.ts'
import { type Unreadable, unreadable } from '../../ingest/unreadable.ts'
import type { PostMetric } from '../../vocabulary/post-fields.ts'

/** Resources of the YouTube Data API: videos, items of playlists, and results of a search. */
export const youtube: PostForm = {
  is: (record) => 'snippet' in record && ('id' in record || 'contentDetails' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const kind = at('id.kind', 'snippet.resourceId.kind', 'kind')
    const id = idOf(at('id.videoId', 'snippet.resourceId.videoId', 'contentDetails.videoId', 'id'))
    if (typeof kind === 'string' && !/^youtube#(?:video|searchResult|playlistItem)$/.test(kind))
      return `a ${kind}, no video`
    const isResult = at('kind') === 'youtube#searchResult' || at('id.videoId') !== undefined
    const isItem = at('snippet.resourceId.videoId') !== undefined
    const channelId = isItem ? at('snippet.videoOwnerChannelId') : at('snippet.channelId')
    const channel = isItem ? at('snippet.videoOwnerChannelTitle') : at('snippet.channelTitle')
    const { snippet } = record as { snippet?: { title?: unknown; description?: unknown } }
    return {
      network: 'youtube',
      id,
      author: authorOf(channelId, isResult ? withoutEntities(channel) : channel),
      community: isResult ? withoutEntities(channel) : channel,
      title: isResult ? withoutEntities(snippet?.title) : snippet?.title,
      // Search results have a shortened text.
      text: isResult ? undefined : snippet?.description,
      language: at('snippet.defaultAudioLanguage', 'snippet.defaultLanguage'),
      // For an item of a playlist, "published" is when it was added to the list.
      publishedAt: isItem ? at('contentDetails.videoPublishedAt') : at('snippet.publishedAt'),
      media: mediaOf(at('contentDetails.duration'), biggestThumbnail(at('snippet.thumbnails'))),
      metrics: {
        views: countOf(at('statistics.viewCount')),
        likes: countOf(at('statistics.likeCount')),
        comments: countOf(at('statistics.commentCount')),
        hidden: hiddenIn(at('statistics')),
      },
    }
  },
}

/**
 * Rows of the widely used tables of trending videos, one a video and day. Without a day, the rows of a video cannot be
 * distinguished.
 */
export const youtubeTrending: PostForm = {
  is: (record) =>
    'video_id' in record &&
    'title' in record &&
    ('trending_date' in record || 'views' in record || 'view_count' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const day = at('trending_date')
    if (day === undefined)
      return 'no trending_date, which tells when a row was seen; a table of one moment comes in through a mapping: pass --map FILE'
    const { title, description } = record as { title?: unknown; description?: unknown }
    const thumbnail = addressIn(at('thumbnail_link'))
    return {
      network: 'youtube',
      id: idOf(at('video_id')),
      author: authorOf(at('channelId', 'channel_id'), at('channel_title', 'channelTitle')),
      community: at('channel_title', 'channelTitle'),
      title,
      // The older tables write a line break as `\n`, a backslash and an n.
      text: typeof description === 'string' ? description.replaceAll('\\n', '\n') : description,
      publishedAt: at('publish_time', 'publishedAt', 'published_at'),
      observedAt: typeof day === 'string' ? trendingDay(day) : day,
      media: mediaOf(undefined, thumbnail ? { url: thumbnail } : undefined),
      metrics: {
        views: countOf(at('views', 'view_count')),
        likes: countOf(at('likes')),
        comments: countOf(at('comment_count', 'comments')),
        hidden: [
          ...(isOn(at('ratings_disabled')) ? ['likes'] : []),
          ...(isOn(at('comments_disabled')) ? ['comments'] : []),
        ],
      },
    }
  },
}

/** Records of the usual collectors: `channelName`, `viewCount`, `numberOfSubscribers`. */
export const youtubeCollected: PostForm = {
  is: (record) =>
    'channelName' in record && 'title' in record && ('viewCount' in record || 'numberOfSubscribers' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const { title, text } = record as { title?: unknown; text?: unknown }
    const [, ofAddress] = /[?&/](?:v=|shorts\/|live\/)([\w-]{11})(?:[?&#]|$)/.exec(idOf(at('url'))) ?? []
    const [, channelId] = /\/channel\/(UC[\w-]{22})/.exec(idOf(at('channelUrl'))) ?? []
    const handle = at('channelId') ?? channelId ?? at('channelUsername')
    const thumbnail = addressIn(at('thumbnailUrl'))
    const day = at('date')
    return {
      network: 'youtube',
      id: at('id') ?? ofAddress,
      author: {
        ...authorOf(handle, at('channelName')),
        bio: at('channelDescription'),
        followers: countOf(at('numberOfSubscribers')),
      },
      community: at('channelName'),
      title,
      text,
      hashtags: listedTags(at('hashtags'), text, 'text'),
      // Without a visit to the page they tell it in words, such as "2 years ago", which is no time.
      publishedAt: typeof day === 'string' && / ago$/.test(day) ? undefined : day,
      media: mediaOf(at('duration'), thumbnail ? { url: thumbnail } : undefined),
      metrics: {
        views: countOf(at('viewCount')),
        likes: countOf(at('likes')),
        comments: countOf(at('commentsCount')),
        hidden: at('commentsTurnedOff') === true ? ['comments'] : [],
      },
    }
  },
}

/** Hidden counts are left out of the statistics; a record without statistics did not request them. */
function hiddenIn(statistics: unknown): PostMetric[] {
  if (typeof statistics !== 'object' || statistics === null) return []
  const names = { views: 'viewCount', likes: 'likeCount', comments: 'commentCount' } as const
  return (['views', 'likes', 'comments'] as const).filter((metric) => !(names[metric] in statistics))
}

/** `17.14.11` is 14 November 2017 in these tables; any other form stays as it is. */
function trendingDay(text: string): string {
  const [, year, day, month] = /^(\d{2})\.(\d{2})\.(\d{2})$/.exec(text.trim()) ?? []
  if (!year || !day || !month || !isCalendarDate(2000 + Number(year), Number(month), Number(day))) return text
  return `20${year}-${month}-${day}`
}

/** YouTube's data identifies channels by their id; the channel title is no handle. */
const authorOf = (channelId: unknown, name: unknown) => ({
  handle: channelId,
  name,
  url:
    typeof channelId === 'string' && /^UC[\w-]{22}$/.test(channelId)
      ? `https://www.youtube.com/channel/${channelId}`
      : undefined,
})

interface Thumbnail {
  url: string | Unreadable
  width?: unknown
  height?: unknown
}

/** The kind is always video, and the record never has the video's address. */
const mediaOf = (duration: unknown, thumbnail: Thumbnail | undefined) => [
  { kind: 'video', url: null, durationSeconds: durationOf(duration) },
  ...(thumbnail ? [{ kind: 'thumbnail', ...thumbnail }] : []),
]

function biggestThumbnail(thumbnails: unknown): Thumbnail | undefined {
  const found =
    typeof thumbnails === 'object'
      ? firstOf(thumbnails, 'maxres', 'standard', 'high', 'medium', 'default')
      : thumbnails
  if (found !== undefined && typeof found !== 'object') return { url: unreadable }
  const url = addressIn(firstOf(found, 'url'))
  return url
    ? { url, width: sizeOf(firstOf(found, 'width')), height: sizeOf(firstOf(found, 'height')) }
    : undefined
}

/**
 * The seconds of an ISO 8601 duration without months, or of a clock such as `1:02:03`; undefined for zero, which running streams have.
 */
function durationOf(text: unknown): number | Unreadable | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string') return unreadable
  if (/^\d+(?::\d{2}){1,2}$/.test(text))
    return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) || undefined
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!match) return unreadable
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const total = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  return total > 0 ? total : undefined
}
