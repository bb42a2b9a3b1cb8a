import type { z } from 'zod'
import type { MetricsPoint, OrganicPost } from '../contract/shapes/organic.ts'
import { type Metric, metrics, type PostFields, type PostMetrics } from '../domain/organic/post.ts'
import type { GroundRow, MetricsRow, PostRow } from '../domain/organic/post-queries.ts'
import { engagementRate, medianViews, outlierScore, whyMissing } from '../domain/organic/scores.ts'
import { CreativeEvidence } from './creative-evidence.ts'
import { statedFact } from './creative-facts.ts'
import { linkShapes } from './creative-links.ts'
import { creativeMedia } from './creative-media.ts'
import { languageFact } from './detected-language.ts'
import type { keptShapes } from './kept-media-shapes.ts'
import type { appLabel } from './listing-facts.ts'
import { savedMark } from './saved-mark.ts'

type Shape = z.output<typeof OrganicPost>
type Label = ReturnType<typeof appLabel>

/** What is stored of a post, for shaping. */
export interface StoredPost {
  post: PostRow
  /** Newest first. */
  metrics: readonly MetricsRow[]
  grounds: ReadonlyMap<string, readonly GroundRow[]>
  labels: ReadonlyMap<string, Label>
  kept: Awaited<ReturnType<typeof keptShapes>>
}

/** What is stored of a post, with every reading its shape rests on. */
export interface EvidencedPost extends StoredPost {
  evidence: CreativeEvidence<PostFields>
}

/** Adds the readings that only metrics and grounds rest on. */
export function evidenced(stored: StoredPost): EvidencedPost {
  const { post, metrics, grounds } = stored
  const found = (grounds.get(post.postNumber) ?? []).filter((row) => row.readingId !== null)
  return { ...stored, evidence: new CreativeEvidence(post, metrics, found) }
}

/** A post as replies show it. @param newest its newest observation, one of those evidenced */
export function postShape(stored: EvidencedPost, newest: MetricsRow): Shape {
  const { post, evidence, grounds, labels, kept } = stored
  const { known } = evidence
  const { postId, network } = post
  const counts = countsOf(newest)
  return {
    postId,
    network,
    url: post.facts.url,
    author: authorShape(stored),
    community: statedFact(known, 'community'),
    title: statedFact(known, 'title'),
    text: statedFact(known, 'text'),
    linkUrl: statedFact(known, 'linkUrl'),
    language: languageFact(known),
    hashtags: statedFact(known, 'hashtags'),
    publishedAt: statedFact(known, 'publishedAt'),
    mediaType: statedFact(known, 'mediaType'),
    ...creativeMedia({ postId }, statedFact(known, 'media'), kept),
    metrics: metricsPoint(stored, newest),
    engagementRate: engagementRate(network, counts),
    outlierScore: outlierScore(network, counts, post),
    firstObservedAt: post.firstObservedAt.toISOString(),
    lastObservedAt: post.lastObservedAt.toISOString(),
    observationCount: post.observationCount,
    links: linkShapes(grounds.get(post.postNumber) ?? [], labels, (row) =>
      evidence.placeOf(row, row.recordedAt),
    ),
    saved: savedMark(post),
    evidence: evidence.shapes(),
  }
}

function authorShape({ post, evidence: { known } }: EvidencedPost): Shape['author'] {
  return {
    handle: post.facts.author ?? null,
    name: statedFact(known, 'authorName'),
    profileUrl: statedFact(known, 'authorUrl'),
    followers: statedFact(known, 'followers'),
    medianViews: medianViews(post.network, post),
    postsMeasured: post.postsMeasured,
  }
}

/** The counts of one observation, which is one of the evidence. */
export function metricsPoint(stored: EvidencedPost, row: MetricsRow): z.output<typeof MetricsPoint> {
  const evidence = stored.evidence.placeOf(row, row.observedAt)
  const counts = countsOf(row)
  const fact = (metric: Metric) => {
    const value = row[metric]
    return value === null
      ? { state: 'not-measured' as const, reason: whyMissing(stored.post.network, metric, counts) }
      : { state: 'measured' as const, value, evidence }
  }
  return {
    observedAt: row.observedAt.toISOString(),
    views: fact('views'),
    likes: fact('likes'),
    comments: fact('comments'),
    shares: fact('shares'),
    saves: fact('saves'),
  }
}

/** Counts that are known, and which are hidden. */
function countsOf(row: MetricsRow): PostMetrics {
  const known = metrics.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))
  return { ...Object.fromEntries(known), ...(row.hidden ? { hidden: row.hidden } : {}) }
}
