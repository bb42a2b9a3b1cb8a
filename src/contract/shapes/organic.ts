import { z } from 'zod'
import { postIdForm } from '../../vocabulary/ids.ts'
import { networks } from '../../vocabulary/networks.ts'
import {
  mapMetrics,
  type PostReplyName,
  postFieldRow,
  postFields,
  postMediaTypes,
  postMetrics,
  postReplyName,
  type RepliedPostField,
  repliedPostFieldsOf,
} from '../../vocabulary/post-fields.ts'
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
  .meta({ id: 'PostId', description: '`<network>_<its id of the post>`.' })

const PostMediaType = z.enum(postMediaTypes).meta({
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

const metrics = mapMetrics((metric) => CountFact.describe(postMetrics[metric].about))

export const MetricsPoint = z.object({ observedAt: Timestamp, ...metrics }).meta({
  id: 'MetricsPoint',
  description: "A post's metrics at one observation; facts point into the post's evidence.",
})

/** The shape of a field in replies, by what it holds. */
const shapes = {
  line: TextFact,
  text: TextFact,
  address: UrlFact,
  addresses: TextListFact,
  count: CountFact,
  language: LanguageTagFact,
  tags: TextListFact,
  time: TimeFact,
  mediaType: fact('PostMediaType', PostMediaType, 'What a post consists of.'),
}

/** Fields of a post as shapes, by their names in replies. */
type FactShapes<Field extends RepliedPostField> = {
  [F in Field as PostReplyName<F>]: (typeof shapes)[(typeof postFields)[F]['kind']]
}

/** Fields of a post as facts. */
export type PostFactsOf<Field extends RepliedPostField> = z.output<z.ZodObject<FactShapes<Field>>>

function factShapes<Field extends RepliedPostField>(fields: readonly Field[]): FactShapes<Field> {
  const named = fields.map((field) => {
    const shape = shapes[postFields[field].kind]
    const { about } = postFieldRow(field)
    return [postReplyName(field), about ? shape.describe(about) : shape]
  })
  return Object.fromEntries(named)
}

const PostAuthor = z
  .object({
    handle: z.string().nullable().describe('Without `@`; null when the source names no author.'),
    ...factShapes(repliedPostFieldsOf.author),
    medianViews: Score.describe('Median views of the stored posts of this author whose views are measured.'),
    postsMeasured: z.int().min(0).describe('How many posts that median rests on.'),
  })
  .meta({ id: 'PostAuthor', description: 'The account that published a post.' })

export const OrganicPost = z
  .object({
    postId: PostId,
    network: PostNetwork,
    url: Url.describe('Address of the post on its network.'),
    author: PostAuthor,
    ...factShapes(repliedPostFieldsOf.post),
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
