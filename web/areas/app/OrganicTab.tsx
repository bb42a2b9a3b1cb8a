import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { networks } from '../../../src/vocabulary/networks.ts'
import type { ReplyOf } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import {
  compactNumber,
  count,
  countWithNoun,
  decimal,
  momentText,
  percentText,
  timeAgo,
  totalText,
} from '../../evidence/format.ts'
import { formulaInWords } from '../../evidence/formula.ts'
import type { OrganicPost } from '../../evidence/shapes.ts'
import { networkInWords, postMedia, postMediaInWords, postSortInWords } from '../../evidence/words.ts'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { Select } from '../../ui/fields.tsx'
import { Badge, Empty, Figure, Figures, Filters, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { useAppOfPage } from './app-of-page.ts'
import { appPostSorts } from './choices.ts'
import { RequestData } from './RequestData.tsx'
import { postsQueryOf } from './tab-reads.ts'

type Summary = ReplyOf<'get_competitor_organic'>['summary']

/** Posts about the app that were not paid for as ads, and how they do. */
export function OrganicTab() {
  const { storeId } = useAppOfPage()
  const { network, media, sort } = useSearch({ from: '/apps/$storeId/organic' })
  const navigate = useNavigate({ from: '/apps/$storeId/organic' })
  const posts = useInfiniteQuery(postsQueryOf(storeId, { network, media, sort }))
  return (
    <>
      <Filters>
        <FilterSelect
          label="Network"
          any="All networks"
          values={networks}
          words={networkInWords}
          value={network}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, network: value }) })
          }
        />
        <FilterSelect
          label="Media type"
          any="All media types"
          values={postMedia}
          words={postMediaInWords}
          value={media}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, media: value }) })
          }
        />
        <Select
          label="Sort by"
          value={sort ?? 'recent'}
          options={appPostSorts.map((id) => ({ id, name: postSortInWords[id] }))}
          onChange={(id) => void navigate({ search: (search) => ({ ...search, sort: id }) })}
        />
      </Filters>
      <Loaded query={posts} skeleton={<Waiting />}>
        {({ pages }) => {
          const [first] = pages
          const items = pages.flatMap((page) => page.items)
          if (!first || items.length === 0)
            return (
              <Panel title="Posts">
                {network || media ? (
                  <Empty title="No posts match these filters">Remove a filter to see more.</Empty>
                ) : (
                  <Empty title="No posts about this app yet" action={<RequestData kinds={['organic']} />}>
                    Posts are imported from files, so there may be posts that were not imported.
                  </Empty>
                )}
              </Panel>
            )
          return (
            <>
              <SummaryPart summary={first.summary} />
              <Panel title="Posts" note={`${totalText(first.total)} collected`} flush>
                <ul className="ruled">
                  {items.map((post) => (
                    <PostRow key={post.postId} post={post} />
                  ))}
                </ul>
                <MorePages query={posts} shown={items.length} />
              </Panel>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function SummaryPart({ summary }: { summary: Summary }) {
  const { posts, postsByWeek, views, medianEngagementRate: median, creators, outliers } = summary
  const { days, lines } = useMemo(
    () => ({
      days: postsByWeek.map(({ weekStartsOn }) => weekStartsOn),
      lines: [{ id: 'posts', name: 'Posts per week', values: postsByWeek.map((week) => week.posts) }],
    }),
    [postsByWeek],
  )
  const unseen = posts.value - views.measuredPosts
  return (
    <>
      <Figures>
        <Figure name="Posts">{totalText(posts)}</Figure>
        <Figure
          name="Views"
          note={unseen > 0 ? `${countWithNoun(unseen, 'post')} without a view count` : undefined}
        >
          {views.total.state === 'not-measured' ? (
            <NotMeasured reason={views.total.reason} />
          ) : (
            <Measured
              note={`${countWithNoun(views.total.value, 'view')} over ${countWithNoun(views.measuredPosts, 'post')} with a view count.`}
            >
              {compactNumber(views.total.value)}
            </Measured>
          )}
        </Figure>
        <Figure name="Creators">
          <Measured note="Distinct authors of these posts.">{count(creators)}</Measured>
        </Figure>
        <Figure name="Outliers">
          {outliers.state === 'measured' ? (
            <Measured note="Posts with at least 5× the median views of their author.">
              {count(outliers.value)}
            </Measured>
          ) : (
            <NotMeasured reason={outliers.reason} />
          )}
        </Figure>
        <Figure
          name="Median engagement rate"
          note={median.state === 'measured' ? formulaInWords(median.formula).notes.join(' ') : undefined}
        >
          {median.state === 'measured' ? (
            <Measured note="Likes, comments and shares divided by views." formula={median.formula}>
              {percentText(median.value)}
            </Measured>
          ) : (
            <NotMeasured reason={median.reason} />
          )}
        </Figure>
      </Figures>
      {days.length > 0 && (
        <Panel title="Posts by week" note="Posts that match the filters, by week starting Monday">
          <LineChart label="Posts by week" days={days} lines={lines} format={wholeText} bars height={160} />
        </Panel>
      )}
    </>
  )
}

/** Between whole numbers the axis stays unlabelled: there is no half post. */
const wholeText = (value: number) => (Number.isInteger(value) ? count(value) : '')

const Waiting = () => (
  <div className="stack">
    <Skeleton height={70} />
    <Skeleton height={250} />
    <Skeleton height={480} />
  </div>
)

/** A post in a few lines: who, what, when, and how it did. */
function PostRow({ post }: { post: OrganicPost }) {
  const { author, network, text, title, publishedAt, mediaType, metrics, evidence, outlierScore, links } = post
  const words = [title, text].flatMap((fact) => (fact.state === 'measured' ? [fact.value] : []))
  return (
    <li className="stack gap-2 pad">
      <div className="row rows-1 small">
        <Badge>{networkInWords[network]}</Badge>
        <span className="medium anywhere shrinks">
          {author.name.state === 'measured' && <bdi>{author.name.value}</bdi>}{' '}
          {author.handle !== null && <bdi className="quiet">@{author.handle}</bdi>}
          {author.name.state !== 'measured' && author.handle === null && 'Unknown author'}
        </span>
        <span className="quiet">
          <Fact
            fact={publishedAt}
            evidence={evidence}
            format={(at) => (
              <time dateTime={at} title={momentText(at)}>
                {timeAgo(at)}
              </time>
            )}
          />
        </span>
      </div>
      <Link
        to="/creatives/posts/$postId"
        params={{ postId: post.postId }}
        className="anywhere clamp ink"
        style={{ maxWidth: '90ch', whiteSpace: 'pre-line' }}
        dir="auto"
      >
        {words.length > 0 ? words.join('\n') : 'No text'}
      </Link>
      <dl className="named row stretch gap-5 rows-1 small">
        <Metric name="Views" fact={metrics.views} evidence={evidence} />
        <Metric name="Likes" fact={metrics.likes} evidence={evidence} />
        <Metric name="Comments" fact={metrics.comments} evidence={evidence} />
        <Metric name="Shares" fact={metrics.shares} evidence={evidence} />
        <div>
          <dt>Engagement rate</dt>
          <dd>
            <Rate
              score={post.engagementRate}
              format={percentText}
              note="Likes, comments and shares divided by views."
            />
          </dd>
        </div>
        <div>
          <dt>Outlier score</dt>
          <dd>
            <Rate
              score={outlierScore}
              format={(value) => `${decimal(value)}×`}
              note="Views relative to the author’s median at the same post age; 1× is typical."
            />
          </dd>
        </div>
        <div>
          <dt>Media type</dt>
          <dd>
            <Fact fact={mediaType} evidence={evidence} format={(type) => postMediaInWords[type]} />
          </dd>
        </div>
        {links.length > 1 && (
          <div>
            <dt>Linked apps</dt>
            <dd>{links.length}</dd>
          </div>
        )}
      </dl>
    </li>
  )
}

function Metric({
  name,
  fact,
  evidence,
}: {
  name: string
  fact: OrganicPost['metrics']['views']
  evidence: OrganicPost['evidence']
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Fact fact={fact} evidence={evidence} format={compactNumber} />
      </dd>
    </div>
  )
}

function Rate({
  score,
  format,
  note,
}: {
  score: OrganicPost['outlierScore']
  format: (value: number) => string
  note: string
}) {
  if (score.state !== 'measured') return <NotMeasured reason={score.reason} />
  return (
    <Measured note={note} formula={score.formula}>
      {format(score.value)}
    </Measured>
  )
}
