import {
  metrics as metricNames,
  type PostField,
  postLabel,
  postReplyName,
  repliedPostFieldsOf,
} from '../../../vocabulary/post-fields.ts'
import type { Block } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { amountScale, drawPlot, type PlotPoint } from '../drawings/plot.ts'
import { drawBar } from '../drawings/sparkline.ts'
import { minute, number } from '../numbers.ts'
import { linkBlocks, mediaBlocks, savedBlocks, savedMarkPairs } from './creative-parts.ts'
import { daysBetween } from './listing-facts.ts'
import { postText } from './lists.ts'
import { appTitle, factPairs, optionalSection, pairBlocks, table, textBlock, textCell, title } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Post = ReplyOf<'search_organic_content'>['items'][number]
type PostDetail = ReplyOf<'get_organic_content'>
type Summary = ReplyOf<'get_competitor_organic'>['summary']

export const organicViews = {
  get_competitor_organic: {
    head: ({ app, summary }) => [appTitle(app), ...summaryBlocks(summary)],
    items: 'Posts',
    columns: { text: { cell: postText } },
    empty: () => 'No stored post is linked to this app and passes the filters.',
  } satisfies ViewOf<'get_competitor_organic'>,

  get_organic_content: { head: postBlocks } satisfies ViewOf<'get_organic_content'>,

  save_organic_content: {
    head: (saved) => [title('Saved', saved.post.postId), ...savedMarkPairs(saved), ...postBlocks(saved.post)],
  } satisfies ViewOf<'save_organic_content'>,
}

/** Number of weeks shown, one bar per line; older ones are in the reply. */
const weeksShown = 12

function summaryBlocks(summary: Summary): Block[] {
  const { posts, views, medianEngagementRate, creators, outliers, postsByWeek } = summary
  const weeks = postsByWeek.slice(-weeksShown)
  const most = Math.max(1, ...weeks.map((week) => week.posts))
  return [
    ...pairBlocks([
      [
        'posts',
        [cellOf(posts), textCell(`by ${number(creators)} ${creators === 1 ? 'author' : 'authors'}`, 'quiet')],
      ],
      [
        'views',
        [
          cellOf(views.total),
          textCell(
            `over ${views.measuredPosts === 1 ? '1 post' : `${number(views.measuredPosts)} posts`} with measured views`,
            'quiet',
          ),
        ],
      ],
      ['median engagement', medianEngagementRate, 'engagementRate'],
      [
        'outliers',
        [cellOf(outliers), textCell('with five times the views usual for their author, or more', 'quiet')],
      ],
    ]),
    ...optionalSection(
      'Posts by week',
      postsByWeek.length > weeksShown ? `the last ${weeksShown} of ${postsByWeek.length} weeks` : '',
      table(weeks, [
        { title: 'from', cell: ({ weekStartsOn }) => weekStartsOn },
        { title: 'posts', cell: (week) => week.posts },
        {
          title: '',
          drawing: true,
          cell: (week) => ({ text: drawBar(week.posts, most, 30).replaceAll('░', ''), ours: true }),
        },
      ]),
    ),
  ]
}

function postBlocks(post: Post | PostDetail): Block[] {
  const { author } = post
  const history = 'metricsHistory' in post ? post.metricsHistory : []
  return [
    title(author.handle ? `@${author.handle}` : 'Post', `${post.postId}`),
    ...(post.title.state === 'measured' ? [textBlock(post.title.value, 'strong')] : []),
    ...(post.text.state === 'measured' ? [textBlock(post.text.value)] : pairBlocks([['text', post.text]])),
    ...factPairs([
      [
        'published',
        [
          cellOf(post.publishedAt),
          textCell(post.community.state === 'measured' ? `in ${post.community.value}` : ''),
        ],
      ],
      ['kind', [cellOf(post.mediaType), cellOf(post.language)]],
      [
        'hashtags',
        post.hashtags.state === 'measured'
          ? textCell(post.hashtags.value.map((tag) => `#${tag}`).join(' '))
          : post.hashtags,
      ],
      ['links to', post.linkUrl],
      ['address', post.url],
      [
        'author',
        [
          cellOf(author.name),
          textCell(
            author.followers.state === 'measured' ? `${number(author.followers.value)} followers` : '',
            'quiet',
          ),
        ],
      ],
      ...otherFacts(author, repliedPostFieldsOf.author),
      ...otherFacts(post, repliedPostFieldsOf.post),
    ]),
    ...optionalSection('Metrics', minute(post.metrics.observedAt), metrics(post)),
    ...optionalSection('Metrics over time', '', metricsOverTime(history)),
    ...linkBlocks(post.links),
    ...mediaBlocks(post),
    ...savedBlocks(post.saved),
  ]
}

/** Fields that stand above, in a place of their own. */
const apart: readonly PostField[] = [
  ...(['authorName', 'authorUrl', 'followers', 'community', 'title', 'text'] as const),
  ...(['linkUrl', 'language', 'hashtags', 'publishedAt', 'mediaType'] as const),
]

/** The other fields, each in a line of its own. */
const otherFacts = (facts: object, fields: readonly PostField[]) =>
  fields
    .filter((field) => !apart.includes(field))
    .map((field) => {
      const fact = (facts as Record<string, Post['title']>)[postReplyName(field)] ?? null
      return [postLabel(field).toLowerCase(), fact] as const
    })

function metrics({ metrics: now, engagementRate, outlierScore, author }: Post): Block[] {
  return pairBlocks([
    ...metricNames.map((name) => [name, now[name]] as const),
    ['engagement', engagementRate, 'engagementRate'],
    [
      'outlier',
      [
        cellOf(outlierScore, 'outlierScore'),
        textCell(outlierScore.state === 'measured' ? `the usual ${basis(outlierScore.formula)}` : '', 'quiet'),
      ],
    ],
    [
      'usual views',
      [
        cellOf(author.medianViews, 'views'),
        textCell(
          `by ${author.postsMeasured === 1 ? '1 post' : `${author.postsMeasured} posts`} of the author`,
          'quiet',
        ),
      ],
    ],
  ])
}

/** The text in the brackets of a formula. */
const basis = (formula: string) => /\((.*)\)$/.exec(formula)?.[1] ?? ''

type MetricsPoint = PostDetail['metricsHistory'][number]

function metricsOverTime(history: readonly MetricsPoint[]): Block[] {
  if (history.length < 2) return []
  return [
    ...viewsDrawing(history),
    ...table(history, [
      { title: 'observed', cell: ({ observedAt }) => observedAt },
      ...metricNames.map((name) => ({
        title: name,
        cell: (point: MetricsPoint) => point[name],
        name,
      })),
    ]),
  ]
}

/** Values by day; of several observations on one day the last one counts. */
function viewsDrawing(history: readonly MetricsPoint[]): Block[] {
  const byDay = new Map(
    history.flatMap(({ observedAt, views }) =>
      views.state === 'measured' ? [[observedAt.slice(0, 10), views.value] as const] : [],
    ),
  )
  const days = [...byDay.keys()].sort()
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to || days.length < 3) return []
  const series = [{ points: daysBetween(from, to).map((date): PlotPoint => byDay.get(date) ?? null) }]
  return [
    {
      kind: 'drawing',
      draw: (canvas) => [
        [{ text: 'views', tone: 'quiet' }],
        ...drawPlot(
          { from, to, series, scale: amountScale(series, (value) => number(Math.round(value))) },
          canvas,
        ),
      ],
      instead: [],
    },
  ]
}
