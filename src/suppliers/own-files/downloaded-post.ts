import {
  addressIn,
  countOf,
  firstOf,
  idOf,
  listOf,
  type PostDraft,
  type PostForm,
  secondsOf,
  sizeOf,
} from '../../ingest/posts/post-draft.ts'

type At = (...paths: string[]) => unknown

/** What differs by network, by the name of its extractor in lower case. */
const readers: ReadonlyMap<string, (at: At, record: object) => PostDraft> = new Map([
  [
    'youtube',
    (at, record) => ({
      network: 'youtube',
      id: idOf(at('id')),
      // A channel is named by its id, as the API names it.
      author: {
        handle: at('channel_id'),
        name: at('channel', 'uploader'),
        url: addressIn(at('channel_url', 'uploader_url')),
        followers: countOf(at('channel_follower_count')),
      },
      community: at('channel', 'uploader'),
      title: (record as { title?: unknown }).title,
      text: (record as { description?: unknown }).description,
      language: at('language'),
    }),
  ],
  [
    'tiktok',
    (at, record) => {
      const [, named] = /tiktok\.com\/@([\w.]+)\//.exec(idOf(at('webpage_url'))) ?? []
      const handle = named ?? at('uploader')
      return {
        network: 'tiktok',
        id: idOf(at('id')),
        author: { handle, name: at('channel', 'creator'), followers: countOf(at('channel_follower_count')) },
        text: captionOf(record),
      }
    },
  ],
  [
    'instagram',
    (at, record) => {
      const [, code] =
        /instagram\.com\/(?:[\w.]+\/)?(?:p|reels?|tv)\/([\w-]+)/.exec(idOf(at('webpage_url'))) ?? []
      const ownId = idOf(at('uploader_id'))
      return {
        network: 'instagram',
        id: code ?? idOf(at('display_id', 'id')),
        // Its account is a channel today, and was an uploader.
        author: { handle: at('channel') ?? (/^\d*$/.test(ownId) ? undefined : ownId), name: at('uploader') },
        text: captionOf(record),
      }
    },
  ],
  [
    'twitter',
    (at, record) => {
      const [, status] = /\/status\/(\d+)/.exec(idOf(at('webpage_url'))) ?? []
      return {
        network: 'x',
        // Its id may be that of a video in the post.
        id: status ?? idOf(at('display_id', 'id')),
        author: { handle: at('uploader_id'), name: at('uploader') },
        text: captionOf(record),
      }
    },
  ],
])

const keyOf = (record: object) => idOf(firstOf(record, 'extractor_key', 'ie_key'))

/** A post with several media is a list of them, and other lists are of posts. */
const isOnePost = (record: object) =>
  !Array.isArray(firstOf(record, 'entries')) || /^(?:instagram|twitter)$/i.test(keyOf(record))

/** What yt-dlp and youtube-dl tell of a video (`.info.json`), with the time at which they looked as far as they tell it. */
export const downloadedPost: PostForm = {
  is: (record) => 'id' in record && keyOf(record) !== '' && isOnePost(record),
  read(record) {
    const at: At = (...paths) => firstOf(record, ...paths)
    const key = keyOf(record)
    const read = readers.get(key.toLowerCase())
    if (!read)
      return `of ${key.slice(0, 60)}: no video of ${[...readers.keys()].join(', ')} that yt-dlp tells of`
    const entries = at('entries')
    const isCarousel = Array.isArray(entries) && entries.length > 1
    return {
      ...read(at, record),
      mediaType: isCarousel ? 'carousel' : undefined,
      publishedAt: at('timestamp') ?? dayOf(at('upload_date')),
      observedAt: at('epoch'),
      media: Array.isArray(entries) ? listOf(entries, mediaOf).flat() : mediaOf(record),
      metrics: {
        views: countOf(at('view_count')),
        likes: countOf(at('like_count')),
        comments: countOf(at('comment_count')),
        shares: countOf(at('repost_count')),
        saves: countOf(at('save_count')),
      },
    }
  },
}

/** Where a network has no titles, the title is a shortened caption. */
const captionOf = (record: object): unknown => (record as { description?: unknown }).description

const dayOf = (day: unknown): unknown => {
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(idOf(day)) ?? []
  return year ? `${year}-${month}-${date}` : day
}

/** Addresses of videos end within hours, and are left out. A picture has no length, no formats and no views. */
function mediaOf(entry: unknown): unknown[] {
  const at: At = (...paths) => firstOf(entry, ...paths)
  const picture = addressIn(at('thumbnail', 'thumbnails.0.url'))
  const isVideo = ['duration', 'formats.0', 'view_count'].some((name) => at(name) !== undefined)
  const still = picture === undefined ? [] : [{ kind: isVideo ? 'thumbnail' : 'image', url: picture }]
  if (!isVideo) return still
  const size = { width: sizeOf(at('width')), height: sizeOf(at('height')) }
  return [{ kind: 'video', url: null, ...size, durationSeconds: secondsOf(at('duration')) }, ...still]
}
