import { z } from 'zod'
import { postIdForm } from '../../vocabulary/ids.ts'
import { networks } from '../../vocabulary/networks.ts'
import { creativeLinks, creativeMedia, LanguageTagFact, SavedMark, savedByCaller } from './creatives.ts'
import { EvidenceList } from './evidence.ts'
import { CountFact, fact, Score, TextFact, TextListFact, TimeFact, UrlFact } from './facts.ts'
import { Day, Language, SearchText, Timestamp, Url } from './primitives.ts'

export const PostNetwork = z
  .enum(networks)
  .meta({ id: 'PostNetwork', description: 'Network a post was published on.' })

export const PostId = z
  .string()
  .regex(postIdForm, 'must be <network>_<native id>, such as youtube_dQw4w9WgXcQ')
  .meta({ id: 'PostId', description: 'Network and the id the network gave the post, joined by `_`.' })

const PostMediaType = z.enum(['video', 'image', 'carousel', 'text', 'link']).meta({
  id: 'PostMediaType',
  description: '`carousel` holds several pictures or videos; `link` is a post that shares an address.',
})

const PostSort = z
  .enum(['relevance', 'recent', 'views', 'engagement', 'outlier'])
  .meta({ id: 'PostSort', description: 'Order of posts.' })

/** Filters over posts, for every operation that lists them. */
export const PostFilters = {
  q: SearchText.optional().describe(
    'Words to find in title, text, hashtags and author, in any language; all must occur, the last may be a prefix of three letters or more.',
  ),
  network: z.array(PostNetwork).min(1).max(5).optional().describe('Any of these.'),
  author: SearchText.optional().describe('A handle, whole, with or without `@`; case does not matter.'),
  hashtag: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(20)
    .optional()
    .describe('Any of these hashtags, whole, with or without `#`; case does not matter.'),
  language: z
    .array(Language)
    .min(1)
    .max(20)
    .optional()
    .describe('Posts in any of these languages; `pt` also finds `pt-BR`.'),
  publishedFrom: Day.optional().describe('Published on this UTC date or later.'),
  publishedTo: Day.optional().describe('Published on this UTC date or earlier.'),
  minViews: z
    .int()
    .min(0)
    .optional()
    .describe('At least so many views. Posts whose views are hidden are left out.'),
  mediaType: z.array(PostMediaType).min(1).max(5).optional().describe('Any of these.'),
  saved: z.boolean().optional().describe('True: only posts this account has saved; false: only others.'),
  sort: PostSort.default('relevance').describe(
    'High to low, `recent` newest first; without `q`, relevance is `recent`. Posts whose value is not measured come last.',
  ),
}

const metrics = {
  views: CountFact.describe('Views or plays; not measured where the network hides them, as Reddit does.'),
  likes: CountFact.describe(
    'Likes; the score on Reddit. Not measured, `hidden-upstream`, where the author hides them.',
  ),
  comments: CountFact.describe('Comments; `hidden-upstream` where they are switched off.'),
  shares: CountFact.describe('Shares or reposts.'),
  saves: CountFact.describe('Bookmarks or favourites by viewers on the network.'),
}

export const MetricsPoint = z.object({ observedAt: Timestamp, ...metrics }).meta({
  id: 'MetricsPoint',
  description: "A post's metrics at one observation; facts point into the post's evidence.",
})

const PostAuthor = z
  .object({
    handle: z.string().nullable().describe('Without `@`; null when the source names no author.'),
    name: TextFact.describe('Name shown on the profile.'),
    profileUrl: UrlFact,
    followers: CountFact,
    medianViews: Score.describe('Median views of the stored posts of this author whose views are measured.'),
    postsMeasured: z.int().min(0).describe('How many posts that median rests on.'),
  })
  .meta({ id: 'PostAuthor', description: 'The account that published a post.' })

const PostMediaTypeFact = fact('PostMediaType', PostMediaType, 'What a post consists of.')

export const OrganicPost = z
  .object({
    postId: PostId,
    network: PostNetwork,
    url: Url.describe('Address of the post on its network.'),
    author: PostAuthor,
    community: TextFact.describe('Subreddit or channel it was posted in, where the network has them.'),
    title: TextFact.describe('Title, where the network has them.'),
    text: TextFact.describe('Caption, description or body, unshortened and untranslated.'),
    linkUrl: UrlFact.describe('Address the post shares.'),
    language: LanguageTagFact.describe('As the network states it, else detected here from the text.'),
    hashtags: TextListFact.describe('Lower case, without `#`, in the order of the text.'),
    publishedAt: TimeFact,
    mediaType: PostMediaTypeFact,
    ...creativeMedia,
    metrics: MetricsPoint.describe('The newest observation.'),
    engagementRate: Score.describe(
      'Likes, comments and shares together over views, 0.05 is five in a hundred; hidden metrics are named in the formula. Not measured without views.',
    ),
    outlierScore: Score.describe(
      "Views over the median views of the author's posts at the same age: 1 is usual, 10 is ten times that. The formula names the age; `at least` where it is held against posts seen older.",
    ),
    firstObservedAt: Timestamp,
    lastObservedAt: Timestamp,
    observationCount: z.int().min(1).describe('How often the post was observed.'),
    links: creativeLinks,
    saved: savedByCaller,
    evidence: EvidenceList,
  })
  .meta({ id: 'OrganicPost', description: 'A public post that was not paid for as an ad, as stored.' })

export const OrganicPostDetail = z
  .object({
    ...OrganicPost.shape,
    metricsHistory: z
      .array(MetricsPoint)
      .describe(
        'One point for each observation, oldest first; the newest 500 when there are more. One when observed once.',
      ),
  })
  .meta({ id: 'OrganicPostDetail', description: 'A post with its metrics over time.' })

export const SavedOrganicPost = z
  .object({ ...SavedMark.shape, post: OrganicPost })
  .meta({ id: 'SavedOrganicPost', description: 'A post this account has saved.' })
