import {
  addressIn,
  countOf,
  firstOf,
  idOf,
  isOn,
  listOf,
  type PostDraft,
  type PostForm,
  secondsOf,
  sizeOf,
} from '../../ingest/posts/post-draft.ts'
import { isUnreadable, type Unreadable } from '../../ingest/unreadable.ts'

/** Submissions as Reddit's API gives them, in a wrapping of their kind or bare. */
export const reddit: PostForm = {
  is: (record) =>
    isThing(record) ||
    ('subreddit' in record && ('created_utc' in record || 'selftext' in record || 'permalink' in record)),
  read(record) {
    if (!isThing(record)) return readSubmission(record)
    const { kind, data } = record
    if (kind !== 't3') return `${others[kind] ?? `a Reddit thing of kind ${kind}`}, no post`
    return typeof data === 'object' && data !== null ? readSubmission(data) : 'no data'
  },
}

const others: Record<string, string> = {
  t1: 'a comment',
  t2: 'an account',
  t5: 'a subreddit',
  more: 'a link to more comments',
}

const isThing = (record: object): record is { kind: string; data: unknown } =>
  'kind' in record && 'data' in record && typeof record.kind === 'string' && /^(?:t\d|more)$/.test(record.kind)

function readSubmission(record: object): PostDraft | string {
  const at = (...paths: string[]) => firstOf(record, ...paths)
  if (at('body') !== undefined && at('title') === undefined) return 'a comment, no post'
  const id = idOf(at('id', 'name')).replace(/^t3_/, '')
  const permalink = at('permalink')
  const own =
    typeof permalink === 'string' && permalink.startsWith('/')
      ? `https://www.reddit.com${permalink}`
      : addressIn(permalink)
  const shared = addressIn(unescaped(at('url_overridden_by_dest', 'url')))
  const isOwn = typeof shared === 'string' && isAddressOf(shared, id)
  const handle = at('author')
  return {
    network: 'reddit',
    id,
    url: own ?? (isOwn ? shared : undefined),
    author:
      handle === '[deleted]'
        ? null
        : {
            handle,
            url:
              typeof handle === 'string' && /^[\w-]+$/.test(handle)
                ? `https://www.reddit.com/user/${handle}`
                : undefined,
          },
    community: at('subreddit'),
    title: unescaped((record as { title?: unknown }).title),
    text: bodyOf((record as { selftext?: unknown }).selftext),
    publishedAt: at('created_utc', 'created'),
    observedAt: at('retrieved_utc', 'retrieved_on'),
    ...shownIn(record, isOwn ? undefined : shared),
    metrics: {
      likes: countOf(at('score', 'ups')),
      comments: countOf(at('num_comments')),
      hidden: isOn(at('hide_score')) ? ['likes'] : [],
    },
  }
}

/** The API escapes only `&`, `<` and `>`, in texts and addresses. */
const unescaped = (text: unknown): unknown =>
  typeof text === 'string'
    ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    : text

/** The placeholder of a removed text is not the text. */
const bodyOf = (text: unknown): unknown =>
  text === '[removed]' || text === '[deleted]' ? undefined : unescaped(text)

function isAddressOf(address: string, id: string): boolean {
  const [, long, short] =
    /^https?:\/\/(?:[a-z]+\.)?(?:reddit\.com\/(?:r\/[^/]+\/|user\/[^/]+\/)?comments\/([^/]+)|redd\.it\/([^/]+)$)/i.exec(
      address,
    ) ?? []
  return (long ?? short)?.toLowerCase() === id.toLowerCase()
}

const isPicture = (address: string) =>
  /^https?:\/\/(?:i\.redd\.it|i\.imgur\.com|preview\.redd\.it)\/[^?]+\.(?:jpe?g|png|gif|webp)/i.test(address)

/** The kind of the post. A post that links to itself and has no text may be a gallery or a video: not measured. */
function shownIn(record: object, shared: string | Unreadable | undefined): PostDraft {
  const at = (...paths: string[]) => firstOf(record, ...paths)
  const gallery = galleryOf(record)
  if (at('is_gallery') === true || gallery.length > 0)
    return { mediaType: 'carousel', media: gallery.some(isAddressed) ? gallery : undefined }
  const video = at('secure_media.reddit_video', 'media.reddit_video')
  if (video || at('is_video') === true)
    return {
      mediaType: 'video',
      media: [
        {
          kind: 'video',
          url: addressIn(unescaped(firstOf(video, 'fallback_url'))),
          width: sizeOf(firstOf(video, 'width')),
          height: sizeOf(firstOf(video, 'height')),
          durationSeconds: secondsOf(firstOf(video, 'duration')),
        },
      ],
    }
  if (at('is_self') === true) return { mediaType: 'text', media: [] }
  if (shared === undefined) return {}
  // The address may be a picture's, which is no link.
  if (isUnreadable(shared)) return { mediaType: shared, linkUrl: shared, media: shared }
  if (!isPicture(shared)) return { mediaType: 'link', linkUrl: shared, media: [] }
  const size = at('preview.images.0.source')
  return {
    mediaType: 'image',
    media: [
      {
        kind: 'image',
        url: shared,
        width: sizeOf(firstOf(size, 'width')),
        height: sizeOf(firstOf(size, 'height')),
      },
    ],
  }
}

function galleryOf(record: object): unknown[] {
  return listOf(firstOf(record, 'gallery_data.items'), (item) => {
    const source = firstOf(record, `media_metadata.${idOf(firstOf(item, 'media_id'))}.s`)
    return {
      kind: 'image',
      url: addressIn(unescaped(firstOf(source, 'u', 'gif'))),
      width: sizeOf(firstOf(source, 'x')),
      height: sizeOf(firstOf(source, 'y')),
    }
  })
}

const isAddressed = (medium: unknown) => isUnreadable(medium) || firstOf(medium, 'url') !== undefined
