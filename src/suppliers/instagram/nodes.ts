import {
  type Around,
  addressIn,
  countOf,
  firstOf,
  idOf,
  listOf,
  type PostForm,
  secondsOf,
  sizeOf,
} from '../../ingest/posts/post-draft.ts'
import { authorOf, hiddenIn, isMinus, shownCount, thumbnail } from './posts.ts'

/** Nodes of Instagram's GraphQL, which instaloader keeps as well, with what the app tells of a post under `iphone_struct`. */
export const instagramNode: PostForm = {
  is: (record) =>
    'shortcode' in record &&
    [
      'edge_media_to_caption',
      'edge_media_preview_like',
      'edge_liked_by',
      'taken_at_timestamp',
      'is_video',
    ].some((name) => name in record),
  read(record, around) {
    const at = (...paths: string[]) => firstOf(record, ...paths)
    const likes = at('edge_media_preview_like.count', 'edge_liked_by.count')
    const cards = listOf(at('edge_sidecar_to_children.edges'), (edge) => mediaOf(firstOf(edge, 'node'))).flat()
    const isCarousel = cards.length > 0 || /Sidecar/.test(idOf(at('__typename')))
    const app = at('iphone_struct')
    return {
      network: 'instagram',
      id: idOf(at('shortcode')),
      author: authorOf(
        at('owner.username', 'iphone_struct.user.username'),
        { name: at('owner.full_name', 'iphone_struct.user.full_name') },
        around,
      ),
      text: captionOf(record),
      publishedAt: at('taken_at_timestamp', 'date', 'iphone_struct.taken_at'),
      mediaType: isCarousel ? 'carousel' : undefined,
      media: isCarousel ? (cards.length > 0 ? cards : undefined) : mediaOf(record),
      metrics: {
        views: shownCount(at('video_play_count', 'iphone_struct.play_count', 'video_view_count')),
        likes: shownCount(likes),
        comments: shownCount(
          at('edge_media_to_comment.count', 'edge_media_to_parent_comment.count', 'comments'),
        ),
        hidden: [
          ...hiddenIn(record),
          ...(typeof app === 'object' && app !== null ? hiddenIn(app) : []),
          ...(isMinus(likes) ? (['likes'] as const) : []),
        ],
      },
    }
  },
}

/** Null where the list of captions is empty: the post has none. */
function captionOf(record: object): unknown {
  const { edge_media_to_caption: edges, caption } = record as Record<string, unknown>
  const text = firstOf(edges, 'edges.0.node.text') ?? firstOf(record, 'iphone_struct.caption.text')
  return text ?? (edges === undefined ? caption : null)
}

function mediaOf(node: unknown): unknown[] {
  const at = (...paths: string[]) => firstOf(node, ...paths)
  const size = { width: sizeOf(at('dimensions.width')), height: sizeOf(at('dimensions.height')) }
  const picture = at('display_url', 'thumbnail_src')
  if (at('is_video') !== true) return [{ kind: 'image', url: addressIn(picture), ...size }]
  const durationSeconds = secondsOf(at('video_duration'))
  return [{ kind: 'video', url: addressIn(at('video_url')), ...size, durationSeconds }, ...thumbnail(picture)]
}

/** What instaloader saves beside posts: their kind stands around them. */
export function otherInstaloaderRecord(record: object): string | undefined {
  const kind = firstOf(record, 'instaloader.node_type')
  return kind === undefined || kind === 'Post' ? undefined : `a ${idOf(kind)} that instaloader saved, no post`
}

/** The profile around the posts of one account, in answers of GraphQL. */
export function instagramUser(record: object): { around: Around; posts: unknown } | undefined {
  const at = (...paths: string[]) => firstOf(record, ...paths)
  const posts = at('edge_owner_to_timeline_media.edges')
  if (posts === undefined || at('username') === undefined) return undefined
  const link = addressIn(at('external_url'))
  return {
    posts,
    around: {
      author: {
        handle: at('username'),
        name: at('full_name'),
        bio: at('biography'),
        followers: countOf(at('edge_followed_by.count')),
        ...(typeof link === 'string' ? { links: [link] } : {}),
      },
    },
  }
}
