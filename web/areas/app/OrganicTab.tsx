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
          any="Every network"
          values={networks}
          words={networkInWords}
          value={network}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, network: value }) })
          }
        />
        <FilterSelect
          label="Media"
          any="Any media"
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
                  <Empty title="No stored post fits these filters">Choose every network and any media.</Empty>
                ) : (
                  <Empty title="No post about this app is stored" action={<RequestData kinds={['organic']} />}>
                    That is not the same as none published: posts come in from files that the operator imports.
                  </Empty>
                )}
              </Panel>
            )
          return (
            <>
              <SummaryPart summary={first.summary} />
              <Panel title="Posts" note={`${totalText(first.total)} stored`} flush>
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
      lines: [{ id: 'posts', name: 'Posts of the week', values: postsByWeek.map((week) => week.posts) }],
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
          note={
            unseen > 0
              ? unseen === 1
                ? '1 post hides its count'
                : `${count(unseen)} posts hide theirs`
              : undefined
          }
        >
          {views.total.state === 'not-measured' ? (
            <NotMeasured reason={views.total.reason} />
          ) : (
            <Measured
              note={`${countWithNoun(views.total.value, 'view')} of the ${countWithNoun(views.measuredPosts, 'post')} with a known count.`}
            >
              {compactNumber(views.total.value)}
            </Measured>
          )}
        </Figure>
        <Figure name="Creators">
          <Measured note="Different authors of these posts.">{count(creators)}</Measured>
        </Figure>
        <Figure name="Outliers">
          {outliers.state === 'measured' ? (
            <Measured note="Posts with at least five times the median views of their author.">
              {count(outliers.value)}
            </Measured>
          ) : (
            <NotMeasured reason={outliers.reason} />
          )}
        </Figure>
        <Figure
          name="Median engagement"
          note={median.state === 'measured' ? formulaInWords(median.formula).notes.join(' ') : undefined}
        >
          {median.state === 'measured' ? (
            <Measured note="Likes, comments and shares over views." formula={median.formula}>
              {percentText(median.value)}
            </Measured>
          ) : (
            <NotMeasured reason={median.reason} />
          )}
        </Figure>
      </Figures>
      {days.length > 0 && (
        <Panel
          title="Posts by week"
          note="Of the stored posts that pass the filters, by the Monday of their week."
        >
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
          {author.name.state !== 'measured' && author.handle === null && 'Author unknown'}
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
        {words.length > 0 ? words.join('\n') : 'A post without a text'}
      </Link>
      <dl className="named row stretch gap-5 rows-1 small">
        <Metric name="Views" fact={metrics.views} evidence={evidence} />
        <Metric name="Likes" fact={metrics.likes} evidence={evidence} />
        <Metric name="Comments" fact={metrics.comments} evidence={evidence} />
        <Metric name="Shares" fact={metrics.shares} evidence={evidence} />
        <div>
          <dt>Engagement</dt>
          <dd>
            <Rate
              score={post.engagementRate}
              format={percentText}
              note="Likes, comments and shares over views."
            />
          </dd>
        </div>
        <div>
          <dt>Outlier</dt>
          <dd>
            <Rate
              score={outlierScore}
              format={(value) => `${decimal(value)}×`}
              note="Views over the median views of the author’s posts at the same age: 1 is usual."
            />
          </dd>
        </div>
        <div>
          <dt>Media</dt>
          <dd>
            <Fact fact={mediaType} evidence={evidence} format={(type) => postMediaInWords[type]} />
          </dd>
        </div>
        {links.length > 1 && (
          <div>
            <dt>Apps</dt>
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
