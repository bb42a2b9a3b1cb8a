import {
  type Around,
  addressIn,
  countOf,
  firstOf,
  idOf,
  listedTags,
  listOf,
  type PostDraft,
  type PostForm,
  secondsOf,
  sizeOf,
  wordsAt,
} from '../../ingest/posts/post-draft.ts'
import { unreadable } from '../../ingest/unreadable.ts'
import { linksIn, linkUrlIn, pairedLinks, timeIn, viewsOf, writtenOut } from './written.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const repost = "a repost of another's post, no post"

/** Posts of the API v2, with their author and media in them as twarc writes them. */
export const xApiPost: PostForm = {
  is: (record) =>
    'id' in record &&
    'text' in record &&
    ['author_id', 'public_metrics', 'edit_history_tweet_ids'].some((name) => name in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const references = at('referenced_tweets')
    const isOfOther =
      Array.isArray(references) && references.some((one) => firstOf(one, 'type') === 'retweeted')
    // Tables of twarc have a column for each type.
    if (isOfOther || firstOf(references, 'retweeted.id') !== undefined) return repost
    const entities = at('note_tweet.entities') ?? at('entities')
    const links = linksIn(firstOf(entities, 'urls'))
    const publishedAt = at('created_at')
    const count = (name: string) => countOf(at(`public_metrics.${name}`))
    const media = at('attachments.media')
    return {
      network: 'x',
      id: idOf(at('id')),
      author: {
        ...authorOf(at('author.username'), at('author.name')),
        bio: writtenOut(wordsAt(record, 'author.description'), linksIn(at('author.entities.description.urls'))),
        followers: countOf(at('author.public_metrics.followers_count')),
        links: profileLinks(at('author.entities.url.urls')),
      },
      text: writtenOut(at('note_tweet.text') ?? (record as { text?: unknown }).text, links),
      linkUrl: links.length > 0 ? linkUrlIn(links) : undefined,
      language: at('lang'),
      hashtags: listedTags(firstOf(entities, 'hashtags'), at('text'), 'tag'),
      publishedAt,
      observedAt: at('__twarc.retrieved_at'),
      media: media === undefined ? undefined : listOf(media, apiMedium).flat(),
      metrics: {
        views: viewsOf(count('impression_count'), publishedAt),
        likes: count('like_count'),
        comments: count('reply_count'),
        shares: count('retweet_count'),
        saves: count('bookmark_count'),
      },
    }
  },
}

/** The posts of an answer of the API v2, which keeps authors and media beside them. */
export function xAnswer(record: object): { around: Around; posts: unknown } | undefined {
  if (firstOf(record, 'meta.result_count') === 0) return { around: {}, posts: [] }
  const { data, includes, __twarc } = record as { data?: unknown; includes?: unknown; __twarc?: unknown }
  const found = (Array.isArray(data) ? data : [data]).filter(isObject)
  if (!isObject(includes) || !found.some((post) => xApiPost.is(post))) return undefined
  const users = byKey(firstOf(includes, 'users'), 'id')
  const media = byKey(firstOf(includes, 'media'), 'media_key')
  const posts = found.map((post) => {
    const author = users.get(idOf(firstOf(post, 'author_id')))
    const keys = firstOf(post, 'attachments.media_keys')
    const shown = Array.isArray(keys) ? keys.map((key) => media.get(idOf(key))) : []
    return {
      ...post,
      ...(author ? { author } : {}),
      // Of media that the answer names and does not hold, nothing is known.
      ...(shown.length > 0 && !shown.includes(undefined) ? { attachments: { media: shown } } : {}),
      ...(__twarc === undefined ? {} : { __twarc }),
    }
  })
  return { around: {}, posts }
}

const byKey = (list: unknown, key: string): ReadonlyMap<string, object> =>
  new Map((Array.isArray(list) ? list : []).filter(isObject).map((entry) => [idOf(firstOf(entry, key)), entry]))

/** Posts of the API v1.1, of the archive that X gives to its members, and as its web pages hold them (`rest_id`, `legacy`). */
export const xStatus: PostForm = {
  is: (record) =>
    ('rest_id' in record && 'legacy' in record) ||
    ('id_str' in record && 'created_at' in record && ('full_text' in record || 'text' in record)),
  read(record) {
    const at = (...paths: string[]) =>
      firstOf(record, ...paths.flatMap((path) => [`extended_tweet.${path}`, `legacy.${path}`, path]))
    const account = firstOf(record, 'core.user_results.result', 'user')
    const user = (...paths: string[]) =>
      firstOf(account, ...paths.flatMap((path) => [`legacy.${path}`, `core.${path}`, path]))
    const short = at('full_text', 'text')
    const isRepost = at('retweeted_status', 'retweeted_status_result') !== undefined
    // The archive names no author, and tells of what its member reposted in this form alone.
    if (isRepost || (account === undefined && /^RT @\w+:/.test(String(short)))) return repost
    const note = firstOf(record, 'note_tweet.note_tweet_results.result')
    const entities = firstOf(note, 'entity_set') ?? at('entities')
    const links = linksIn(firstOf(entities, 'urls'))
    const media = at('extended_entities.media', 'entities.media')
    const isShortened = at('truncated') === true && at('full_text') === undefined
    const publishedAt = timeIn(at('created_at'))
    return {
      network: 'x',
      id: idOf(at('rest_id', 'id_str')),
      author: {
        ...authorOf(user('screen_name') ?? handleOfOwn(media, idOf(at('id_str'))), user('name')),
        bio: writtenOut(
          wordsAt(account, 'legacy.description', 'description'),
          linksIn(user('entities.description.urls')),
        ),
        followers: countOf(user('followers_count')),
        links: profileLinks(user('entities.url.urls')),
      },
      text: isShortened ? undefined : writtenOut(firstOf(note, 'text') ?? short, [...links, ...linksIn(media)]),
      linkUrl: entities === undefined ? undefined : linkUrlIn(links),
      language: at('lang'),
      hashtags: listedTags(firstOf(entities, 'hashtags'), short, 'text'),
      publishedAt,
      media: entities === undefined ? undefined : listOf(media, statusMedium).flat(),
      metrics: {
        views: viewsOf(countOf(firstOf(record, 'views.count')), publishedAt),
        likes: countOf(at('favorite_count')),
        comments: countOf(at('reply_count')),
        shares: countOf(at('retweet_count')),
        saves: countOf(at('bookmark_count')),
      },
    }
  },
}

/** Records of snscrape and of twscrape: `rawContent`, `likeCount`, `user.username`. */
export const xCollected: PostForm = {
  is: (record) =>
    'id' in record &&
    'user' in record &&
    'likeCount' in record &&
    ['rawContent', 'content', 'renderedContent'].some((name) => name in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    if (at('retweetedTweet') !== undefined) return repost
    const links = [...linksIn(at('links'), 'tcourl', 'url'), ...pairedLinks(at('tcooutlinks'), at('outlinks'))]
    const publishedAt = at('date')
    return {
      network: 'x',
      id: idOf(at('id_str', 'id')),
      author: {
        ...authorOf(at('user.username'), at('user.displayname')),
        bio: wordsAt(record, 'user.rawDescription', 'user.description'),
        followers: countOf(at('user.followersCount')),
        links: profileLinks(at('user.link') ?? at('user.linkUrl')),
      },
      text: writtenOut(at('rawContent', 'content'), links),
      linkUrl: 'links' in record || 'outlinks' in record ? linkUrlIn(links) : undefined,
      language: at('lang'),
      hashtags: listedTags(at('hashtags'), at('rawContent', 'content'), 'text'),
      publishedAt,
      media: 'media' in record ? collectedMedia(at('media')) : undefined,
      metrics: {
        views: viewsOf(countOf(at('viewCount')), publishedAt),
        likes: countOf(at('likeCount')),
        comments: countOf(at('replyCount')),
        shares: countOf(at('retweetCount')),
        saves: countOf(at('bookmarkedCount', 'bookmarkCount')),
      },
    }
  },
}

/** Records of services that collect for others: `createdAt`, `likeCount`, `author.userName`. */
export const xServed: PostForm = {
  is: (record) =>
    'createdAt' in record &&
    'author' in record &&
    'likeCount' in record &&
    ('text' in record || 'fullText' in record),
  read(record) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    if (at('isRetweet') === true || at('retweeted_tweet', 'retweet') !== undefined) return repost
    const links = linksIn(at('entities.urls'))
    const media = at('extendedEntities.media')
    const publishedAt = timeIn(at('createdAt'))
    const text = at('fullText', 'text')
    return {
      network: 'x',
      id: idOf(at('id')) || /\/status\/(\d+)/.exec(String(at('url', 'twitterUrl')))?.[1],
      author: {
        ...authorOf(at('author.userName'), at('author.name')),
        bio: wordsAt(record, 'author.description', 'author.profile_bio.description'),
        followers: countOf(at('author.followers')),
      },
      text: writtenOut(text, [...links, ...linksIn(media)]),
      linkUrl: at('entities') === undefined ? undefined : linkUrlIn(links),
      language: at('lang'),
      hashtags: listedTags(at('entities.hashtags'), text, 'text'),
      publishedAt,
      media: 'extendedEntities' in record ? listOf(media, statusMedium).flat() : undefined,
      metrics: {
        views: viewsOf(countOf(at('viewCount')), publishedAt),
        likes: countOf(at('likeCount')),
        comments: countOf(at('replyCount')),
        shares: countOf(at('retweetCount')),
        saves: countOf(at('bookmarkCount')),
      },
    }
  },
}

const authorOf = (handle: unknown, name: unknown): NonNullable<PostDraft['author']> & object => ({
  handle,
  name,
  url: typeof handle === 'string' && /^\w{1,15}$/.test(handle) ? `https://x.com/${handle}` : undefined,
})

/** The address on a profile: of its entities, or as collectors write it. */
function profileLinks(value: unknown): unknown {
  const link = Array.isArray(value) ? value[0] : value
  const address = addressIn(typeof link === 'string' ? link : firstOf(link, 'expanded_url', 'url'))
  return address === undefined ? undefined : [address]
}

/** The handle in the address of a medium, where it belongs to this very post. */
function handleOfOwn(media: unknown, id: string): string | undefined {
  const address = idOf(firstOf(media, '0.expanded_url'))
  const [, handle, post] =
    /^https?:\/\/(?:www\.)?(?:x|twitter)\.com\/(\w+)\/status\/(\d+)\//.exec(address) ?? []
  return post === id ? handle : undefined
}

/** The address of the best of several versions of a video; those without a rate are playlists. */
function bestOf(variants: unknown): unknown {
  if (!Array.isArray(variants)) return undefined
  const rate = (one: unknown) => Number(firstOf(one, 'bit_rate', 'bitrate') ?? -1)
  return firstOf(variants.toSorted((one, other) => rate(other) - rate(one))[0], 'url')
}

const still = (url: unknown) => (url === undefined ? [] : [{ kind: 'thumbnail', url: addressIn(url) }])

function apiMedium(medium: unknown): unknown[] {
  const at = (...paths: string[]) => firstOf(medium, ...paths)
  const size = { width: sizeOf(at('width')), height: sizeOf(at('height')) }
  if (at('type') === 'photo') return [{ kind: 'image', url: addressIn(at('url')), ...size }]
  if (!['video', 'animated_gif'].includes(idOf(at('type')))) return [unreadable]
  const url = addressIn(bestOf(at('variants')))
  const durationSeconds = secondsOf(at('duration_ms'), 1000)
  return [{ kind: 'video', url, ...size, durationSeconds }, ...still(at('preview_image_url'))]
}

function statusMedium(medium: unknown): unknown[] {
  const at = (...paths: string[]) => firstOf(medium, ...paths)
  const picture = at('media_url_https', 'media_url')
  const size = {
    width: sizeOf(at('original_info.width', 'sizes.large.w')),
    height: sizeOf(at('original_info.height', 'sizes.large.h')),
  }
  const type = idOf(at('type'))
  if (type === 'photo' || type === '') return [{ kind: 'image', url: addressIn(picture), ...size }]
  if (!['video', 'animated_gif'].includes(type)) return [unreadable]
  const url = addressIn(bestOf(at('video_info.variants')))
  const durationSeconds = secondsOf(at('video_info.duration_millis'), 1000)
  return [{ kind: 'video', url, ...size, durationSeconds }, ...still(picture)]
}

/** Media of snscrape in one list, each with its type, and of twscrape in a list for each type. */
function collectedMedia(media: unknown): unknown[] {
  if (Array.isArray(media)) return listOf(media, collectedMedium).flat()
  return ['photos', 'videos', 'animated'].flatMap((name) =>
    listOf(firstOf(media, name), collectedMedium).flat(),
  )
}

function collectedMedium(medium: unknown): unknown[] {
  const at = (...paths: string[]) => firstOf(medium, ...paths)
  const picture = at('fullUrl', 'previewUrl', 'url')
  if (picture !== undefined) return [{ kind: 'image', url: addressIn(picture) }]
  const url = addressIn(bestOf(at('variants')) ?? at('videoUrl'))
  // snscrape counts seconds, and twscrape, whose media name no type, milliseconds.
  const durationSeconds = secondsOf(at('duration'), at('_type') === undefined ? 1000 : 1)
  return [{ kind: 'video', url, durationSeconds }, ...still(at('thumbnailUrl'))]
}
