import type { z } from 'zod'
import type { MetricsPoint, OrganicPost } from '../contract/shapes/organic.ts'
import { placeOf } from '../domain/evidence/reading.ts'
import { factOf, fieldFact } from '../domain/facts/fact.ts'
import type { Known } from '../domain/facts/merge.ts'
import { type Metric, metrics, type PostFields, type PostMetrics } from '../domain/organic/post.ts'
import { ageOf, engagementRate, medianViews, outlierScore, whyMissing } from '../domain/organic/scores.ts'
import type { MetricsRow, StoredPost } from '../domain/organic/shown-posts.ts'
import type { archivedCopyShapes } from './archived-copy-shapes.ts'
import { creativeEvidence } from './creative-evidence.ts'
import { linkShapes } from './creative-links.ts'
import { creativeMedia } from './creative-media.ts'
import { languageFact } from './detected-language.ts'
import type { appLabel } from './listing-facts.ts'
import { savedMark } from './saved-mark.ts'

type Shape = z.output<typeof OrganicPost>
type Label = ReturnType<typeof appLabel>

/** A stored post with its readings, and data from other tables. */
export interface PostToShape extends StoredPost {
  known: Known<PostFields>
  labels: ReadonlyMap<string, Label>
  kept: Awaited<ReturnType<typeof archivedCopyShapes>>
}

/** A post in the form of replies. */
export function postShape(stored: PostToShape): Shape {
  const { item: post, observations, known, grounds, labels, kept } = stored
  const { postId, network } = post
  const [newest] = observations
  if (!newest) throw new Error(`The post ${postId} has no observation.`)
  const counts = countsOf(newest)
  return {
    postId,
    network,
    url: post.facts.url,
    author: authorShape(stored),
    community: fieldFact(known, 'community'),
    title: fieldFact(known, 'title'),
    text: fieldFact(known, 'text'),
    linkUrl: fieldFact(known, 'linkUrl'),
    language: languageFact(known),
    hashtags: fieldFact(known, 'hashtags'),
    publishedAt: fieldFact(known, 'publishedAt'),
    mediaType: fieldFact(known, 'mediaType'),
    ...creativeMedia({ postId }, fieldFact(known, 'media'), kept),
    metrics: metricsPoint(stored, newest),
    engagementRate: engagementRate(network, counts),
    outlierScore: outlierScore(
      network,
      { metrics: counts, age: ageOf(post.facts.publishedAt, newest.observedAt) },
      post,
    ),
    firstObservedAt: post.firstObservedAt.toISOString(),
    lastObservedAt: post.lastObservedAt.toISOString(),
    observationCount: post.observationCount,
    links: linkShapes(grounds, labels, (row) => placeOf(known.evidence, row, row.recordedAt)),
    saved: savedMark(post),
    evidence: creativeEvidence(known),
  }
}

function authorShape({ item: post, known }: PostToShape): Shape['author'] {
  return {
    handle: post.facts.author ?? null,
    name: fieldFact(known, 'authorName'),
    profileUrl: fieldFact(known, 'authorUrl'),
    followers: fieldFact(known, 'followers'),
    medianViews: medianViews(post.network, post),
    postsMeasured: post.postsMeasured,
  }
}

/** The counts of one observation, whose reading is part of the evidence. */
export function metricsPoint(stored: PostToShape, row: MetricsRow): z.output<typeof MetricsPoint> {
  const evidence = placeOf(stored.known.evidence, row, row.observedAt)
  const counts = countsOf(row)
  const fact = (metric: Metric) =>
    factOf(row[metric] ?? undefined, evidence, whyMissing(stored.item.network, metric, counts))
  return {
    observedAt: row.observedAt.toISOString(),
    views: fact('views'),
    likes: fact('likes'),
    comments: fact('comments'),
    shares: fact('shares'),
    saves: fact('saves'),
  }
}

/** The known counts, and which are hidden. */
function countsOf(row: MetricsRow): PostMetrics {
  const known = metrics.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))
  return { ...Object.fromEntries(known), ...(row.hidden ? { hidden: row.hidden } : {}) }
}
