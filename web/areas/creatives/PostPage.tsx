import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import {
  type PostFieldKind,
  type PostFieldTypes,
  postFields,
  postLabel,
  postReplyName,
  type RepliedPostField,
  repliedPostFieldsOf,
} from '../../../src/vocabulary/post-fields.ts'
import { type ReplyOf, read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, countWithNoun, dayText, languageName, momentText, timeAgo } from '../../evidence/format.ts'
import { EvidenceLines } from '../../evidence/provenance.tsx'
import type { FactOf } from '../../evidence/shapes.ts'
import { formatInWords, networkInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { EvidencePanel } from '../../ui/EvidencePanel.tsx'
import { Select } from '../../ui/fields.tsx'
import { ExternalLink } from '../../ui/icons.ts'
import { Empty, Figure, Figures, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './ad.module.css'
import { saveAsJson } from './ad-export.ts'
import { beside, CreativesFrame } from './CreativesFrame.tsx'
import { Links } from './LinksPanel.tsx'
import { MediaStage } from './MediaStage.tsx'
import { byDay, valuesOfMetric } from './metrics-by-day.ts'
import { CompareButton } from './PieceTools.tsx'
import { SavedPanel } from './SavedPanel.tsx'
import { postKey } from './shapes.ts'
import { OutLink } from './Texts.tsx'
import { EngagementRate, Outlier } from './values.tsx'
import { metricInWords, metricNames } from './words.ts'

type Post = ReplyOf<'get_organic_content'>

/** One post: its media, its text, and how it did over time. */
export function PostPage() {
  const { postId } = useParams({ from: '/creatives/posts/$postId' })
  const query = useQuery(read('get_organic_content', { postId }))
  const post = query.data
  return (
    <CreativesFrame
      title={post?.author.handle ? `@${post.author.handle}` : 'Organic post'}
      subtitle={post && `${networkInWords[post.network]} post ${post.postId.replace(/^[a-z]+_/, '')}`}
      actions={
        post && (
          <>
            <CompareButton piece={postKey(post)} />
            <Button onPress={() => saveAsJson(`post-${post.postId}`, post)}>Export JSON</Button>
            <a href={post.url} target="_blank" rel="noreferrer noopener" className="row">
              <ExternalLink size={14} aria-hidden="true" /> {networkInWords[post.network]}
            </a>
          </>
        )
      }
    >
      <Loaded
        query={query}
        skeleton={
          <div className="columns" style={beside}>
            <Skeleton height={480} />
            <Skeleton height={640} />
          </div>
        }
      >
        {(loaded) => <PostView key={loaded.postId} post={loaded} />}
      </Loaded>
    </CreativesFrame>
  )
}

function PostView({ post }: { post: Post }) {
  const { evidence } = post
  return (
    <div className="columns" style={beside}>
      <div className={`${styles.side} stack gap-4 shrinks`}>
        <MediaStage
          media={post.media}
          status={post.mediaStatus}
          poster={{
            by: post.author.handle ?? post.postId,
            title: post.title.state === 'measured' ? post.title.value : undefined,
            body: post.text.state === 'measured' ? post.text.value : undefined,
            button: undefined,
          }}
        />
        <SavedPanel piece={{ kind: 'post', post }} />
      </div>
      <div className="stack gap-4 shrinks">
        <Results post={post} />
        <Panel title="Text">
          <dl className="stack">
            <div>
              <dt className="small">Title</dt>
              <dd className="foreign" dir="auto">
                <Fact fact={post.title} evidence={evidence} format={(text) => text} />
              </dd>
            </div>
            <div>
              <dt className="small">Text</dt>
              <dd className={`${styles.said} foreign`} dir="auto">
                <Fact fact={post.text} evidence={evidence} format={(text) => text} />
              </dd>
            </div>
            <div>
              <dt className="small">Hashtags</dt>
              <dd>
                <Fact
                  fact={post.hashtags}
                  evidence={evidence}
                  format={(tags) => (
                    <span className="row rows-0">
                      {tags.map((tag) => (
                        <Link key={tag} to="/creatives/posts" search={{ hashtag: tag }}>
                          <bdi>#{tag}</bdi>
                        </Link>
                      ))}
                    </span>
                  )}
                />
              </dd>
            </div>
            <div>
              <dt className="small">Link</dt>
              <dd>
                <Fact fact={post.linkUrl} evidence={evidence} format={(url) => <OutLink url={url} />} />
              </dd>
            </div>
          </dl>
        </Panel>
        <OverTime post={post} />
        <About post={post} />
        <Panel title="Apps">
          {post.links.length === 0 ? (
            <Empty title="No linked app">
              Posts are linked by App Store links in the post or profile, and by the known accounts of apps.
            </Empty>
          ) : (
            <Links links={post.links} evidence={evidence} />
          )}
        </Panel>
        <EvidencePanel evidence={evidence} />
      </div>
    </div>
  )
}

function Results({ post }: { post: Post }) {
  const { metrics, evidence } = post
  return (
    <Figures>
      {metricNames.map((metric) => (
        <Figure key={metric} name={metricInWords[metric]}>
          <Fact fact={metrics[metric]} evidence={evidence} format={count} />
        </Figure>
      ))}
      <Figure name="Engagement rate">
        <EngagementRate post={post} />
      </Figure>
      <Figure name="Outlier score" note="× the author’s median views">
        <Outlier post={post} />
      </Figure>
    </Figures>
  )
}

function OverTime({ post }: { post: Post }) {
  const { metric = 'views' } = useSearch({ from: '/creatives/posts/$postId' })
  const navigate = useNavigate({ from: '/creatives/posts/$postId' })
  const history = byDay(post.metricsHistory)
  if (history.days.length < 2)
    return (
      <Panel title="Over time" note={`Last seen ${timeAgo(post.lastObservedAt)}`}>
        <p className="quiet">The chart needs data from at least two days.</p>
      </Panel>
    )
  return (
    <Panel
      title="Over time"
      note={`${countWithNoun(post.observationCount, 'data point')} since ${dayText(post.firstObservedAt)}`}
      actions={
        <Select
          label="Metric"
          labelHidden
          options={metricNames.map((id) => ({ id, name: metricInWords[id] }))}
          value={metric}
          onChange={(next) =>
            void navigate({
              search: ({ metric: _, ...before }) => (next === 'views' ? before : { ...before, metric: next }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      <LineChart
        label={`${metricInWords[metric]} over time`}
        days={history.days}
        lines={[{ id: metric, name: metricInWords[metric], values: valuesOfMetric(history, metric) }]}
        format={count}
        provenance={(index) => {
          const point = history.points[index]
          const fact = point?.[metric]
          return (
            point &&
            fact &&
            fact.state !== 'not-measured' && (
              <EvidenceLines evidence={post.evidence[fact.evidence]} observedAt={point.observedAt} />
            )
          )
        }}
      />
    </Panel>
  )
}

/** Fields that stand in the panel with the text. */
const inText: readonly RepliedPostField[] = ['title', 'text', 'hashtags', 'linkUrl']
const first: readonly RepliedPostField[] = [
  ...repliedPostFieldsOf.author,
  ...(['community', 'publishedAt', 'mediaType', 'language'] as const),
]
const tiles = [
  ...first,
  ...repliedPostFieldsOf.post.filter((field) => !first.includes(field) && !inText.includes(field)),
]

/** How a value is written, by what its field holds. */
const written: { [Kind in PostFieldKind]: (value: PostFieldTypes[Kind]) => ReactNode } = {
  line: (text) => text,
  text: (text) => text,
  address: (url) => <OutLink url={url} />,
  addresses: (urls) => urls.join(', '),
  count,
  language: languageName,
  tags: (tags) => tags.join(', '),
  time: momentText,
  mediaType: (type) => formatInWords[type],
}

function PostFact({ post, field }: { post: Post; field: RepliedPostField }) {
  const { of, kind } = postFields[field]
  const facts: object = of === 'author' ? post.author : post
  const fact = (facts as Record<string, FactOf<unknown>>)[postReplyName(field)]
  const format = written[kind] as (value: unknown) => ReactNode
  return fact && <Fact fact={fact} evidence={post.evidence} format={format} />
}

function About({ post }: { post: Post }) {
  const { author } = post
  return (
    <Panel title="Author and post">
      <dl className="tiles" style={customProperties({ '--tile': '140px' })}>
        {tiles.map((field) => (
          <Fragment key={field}>
            <div>
              <dt className="small">{postLabel(field)}</dt>
              <dd className={postFields[field].kind === 'line' ? 'foreign' : undefined}>
                <PostFact post={post} field={field} />
              </dd>
            </div>
            {field === 'followers' && (
              <div>
                <dt className="small">Median views</dt>
                <dd>
                  {author.medianViews.state === 'measured' ? (
                    <Measured
                      formula={author.medianViews.formula}
                      note={`Median of ${countWithNoun(author.postsMeasured, 'collected post')} with known views.`}
                    >
                      {count(author.medianViews.value)}
                    </Measured>
                  ) : (
                    <NotMeasured reason={author.medianViews.reason} />
                  )}
                </dd>
              </div>
            )}
          </Fragment>
        ))}
      </dl>
      {author.handle && (
        <p className="row spaced gap-4">
          <Link to="/creatives/posts" search={{ author: author.handle }}>
            All posts by this author
          </Link>
        </p>
      )}
    </Panel>
  )
}
