import {
  addressIn,
  countOf,
  firstOf,
  idOf,
  isAddress,
  isOn,
  type PostForm,
  secondsOf,
} from '../../ingest/posts/post-draft.ts'
import { orNone, profileOf, thumbnail, video } from './posts.ts'

/**
 * Records of tikwm and of services that resell it: `title` is the caption, `play` the video, and an `aweme_id` the id of a file.
 * Addresses of its own without a host are left out.
 */
export const tiktokRelayed: PostForm = {
  is: (record) =>
    'digg_count' in record &&
    'play_count' in record &&
    ('video_id' in record || 'id' in record) &&
    'title' in record,
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const handle = at('author.unique_id')
    const pictures = [at('images') ?? []].flat().map((url) => ({ kind: 'image', url: addressIn(whole(url)) }))
    return {
      network: 'tiktok',
      id: idOf(at('video_id', 'id')),
      author: { handle, name: at('author.nickname'), url: profileOf(handle) },
      text: (record as { title?: unknown }).title,
      publishedAt: at('create_time'),
      media:
        pictures.length > 0
          ? pictures
          : orNone([
              video(whole(at('hdplay', 'play')), undefined, undefined, secondsOf(at('duration'))),
              ...thumbnail(whole(at('origin_cover', 'cover'))),
            ]),
      metrics: {
        views: countOf(at('play_count')),
        likes: countOf(at('digg_count')),
        comments: countOf(at('comment_count')),
        shares: countOf(at('share_count')),
        saves: countOf(at('collect_count')),
      },
    }
  },
}

const whole = (url: unknown): unknown =>
  typeof url === 'string' && url.startsWith('/') && !isAddress(url) ? undefined : url

/** Rows of tables that Pyktok writes: `video_id`, `video_playcount`, `author_username`. */
export const tiktokRow: PostForm = {
  is: (record) => 'video_id' in record && ('video_playcount' in record || 'video_diggcount' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const handle = at('author_username')
    // Data frames write whole numbers with a fraction once one of them is missing.
    const count = (name: string) => countOf(idOf(at(name)).replace(/\.0$/, '') || undefined)
    if (isOn(at('video_is_ad'))) return 'an ad, no post'
    return {
      network: 'tiktok',
      id: idOf(at('video_id')),
      author: {
        handle,
        name: at('author_name'),
        url: profileOf(handle),
        followers: count('author_followercount'),
      },
      text: (record as { video_description?: unknown }).video_description,
      publishedAt: at('video_timestamp'),
      media: [video(undefined, undefined, undefined, secondsOf(at('video_duration', 'video_length')))],
      metrics: {
        views: count('video_playcount'),
        likes: count('video_diggcount'),
        comments: count('video_commentcount'),
        shares: count('video_sharecount'),
      },
    }
  },
}
