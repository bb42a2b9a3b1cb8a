import { Link } from '@tanstack/react-router'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { ago, compact, decimal, momentText, share } from '../../evidence/format.ts'
import type { OrganicPost } from '../../evidence/shapes.ts'
import { networkInWords, postMediaInWords } from '../../evidence/words.ts'
import { Badge } from '../../ui/parts.tsx'

/** A post in a few lines: who, what, when, and how it did. */
export function PostRow({ post }: { post: OrganicPost }) {
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
                {ago(at)}
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
            <Rate score={post.engagementRate} format={share} note="Likes, comments and shares over views." />
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
        <Fact fact={fact} evidence={evidence} format={compact} />
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
