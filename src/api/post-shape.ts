import type { z } from 'zod'
import type { CreativeLink } from '../contract/shapes/creatives.ts'
import type { MetricsPoint, OrganicPost } from '../contract/shapes/organic.ts'
import { groundStrength } from '../domain/creatives/grounds.ts'
import type { Known, StatedBy } from '../domain/creatives/stated.ts'
import type { NamedReading } from '../domain/evidence/reading.ts'
import type { PostField, PostFields, PostMetrics } from '../domain/organic/post.ts'
import type { GroundRow, MetricsRow, PostRow } from '../domain/organic/post-queries.ts'
import { engagementRate, medianViews, outlierScore, whyMissing } from '../domain/organic/scores.ts'
import { evidenceOfKnown, statedFact } from './creative-facts.ts'
import { creativeMedia } from './creative-media.ts'
import { languageFact, withDetection } from './detected-language.ts'
import type { keptShapes } from './kept-media-shapes.ts'
import { appLabel } from './listing-facts.ts'
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
  known: Known<PostFields>
}

/** Adds the readings that only metrics and grounds rest on. */
export function evidenced(stored: StoredPost): EvidencedPost {
  const { post, metrics } = stored
  const known = withDetection<PostFields>(post)
  const evidence = [...known.evidence]
  for (const row of metrics) if (placeOf(evidence, row) === -1) evidence.push(bareEntry(row))
  for (const row of stored.grounds.get(post.postNumber) ?? [])
    if (placeOfGround(evidence, row) === -1) evidence.push(bareEntry(row))
  evidence.sort((one, other) =>
    one.observedAt < other.observedAt ? 1 : one.observedAt > other.observedAt ? -1 : 0,
  )
  return { ...stored, known: { facts: known.facts, evidence } }
}

type Entry = StatedBy<PostField>

function bareEntry({
  observedAt,
  readingId,
  source,
  origin,
  timeBasis,
}: NamedReading & { observedAt: Date }): Entry {
  return { readingId, source, origin, timeBasis, observedAt: observedAt.toISOString(), fields: [] }
}

/** Where the observation stands that a row rests on; -1 when it is not there. */
function placeOf(evidence: readonly Entry[], { readingId, observedAt }: MetricsRow): number {
  const at = observedAt.toISOString()
  return evidence.findIndex(
    (entry) => entry.readingId === readingId && entry.observedAt === at && entry.source !== 'derived',
  )
}

/** As `placeOf` of the observation that shows a ground, or else of another one in its reading. */
function placeOfGround(evidence: readonly Entry[], { readingId, recordedAt }: GroundRow): number {
  const at = recordedAt.toISOString()
  const own = (entry: Entry) => entry.readingId === readingId && entry.source !== 'derived'
  const exact = evidence.findIndex((entry) => own(entry) && entry.observedAt === at)
  return exact === -1 ? evidence.findIndex(own) : exact
}

/** A post as replies show it. @param newest its newest observation, one of those evidenced */
export function postShape(stored: EvidencedPost, newest: MetricsRow): Shape {
  const { post, known, kept } = stored
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
    links: linksOf(stored),
    saved: savedMark(post),
    evidence: evidenceOfKnown(known).map((entry) =>
      entry.source === 'derived' ? { ...entry, surface: 'Language detection' } : entry,
    ),
  }
}

function authorShape({ post, known }: EvidencedPost): Shape['author'] {
  return {
    handle: post.facts.author ?? null,
    name: statedFact(known, 'authorName'),
    profileUrl: statedFact(known, 'authorUrl'),
    followers: statedFact(known, 'followers'),
    medianViews: medianViews(post.network, post),
    postsMeasured: post.postsMeasured,
  }
}

const metricNames = ['views', 'likes', 'comments', 'shares', 'saves'] as const

/** The counts of one observation, which is one of the evidence. */
export function metricsPoint(stored: EvidencedPost, row: MetricsRow): z.output<typeof MetricsPoint> {
  const evidence = placeOf(stored.known.evidence, row)
  const fact = (metric: keyof PostMetrics) => {
    const value = row[metric]
    return value === null
      ? { state: 'not-measured' as const, reason: whyMissing(stored.post.network, metric) }
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

/** Counts that are known. */
function countsOf(row: MetricsRow): PostMetrics {
  return Object.fromEntries(metricNames.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])))
}

function linksOf({ post, grounds, labels, known }: EvidencedPost): z.output<typeof CreativeLink>[] {
  const byApp = Map.groupBy(grounds.get(post.postNumber) ?? [], (ground) => ground.storeId)
  const links = [...byApp].map(([storeId, found]) => ({
    app: labels.get(storeId) ?? appLabel(storeId, undefined),
    grounds: found.sort(byStrength).map((ground) => ({
      kind: ground.kind,
      text: ground.text,
      foundIn: ground.foundIn,
      evidence: placeOfGround(known.evidence, ground),
    })),
    linkedAt: new Date(Math.min(...found.map(({ recordedAt }) => recordedAt.getTime()))).toISOString(),
  }))
  return links.sort((one, other) =>
    one.linkedAt !== other.linkedAt
      ? one.linkedAt < other.linkedAt
        ? -1
        : 1
      : one.app.storeId < other.app.storeId
        ? -1
        : 1,
  )
}

function byStrength(one: GroundRow, other: GroundRow): number {
  const strength = groundStrength.indexOf(one.kind) - groundStrength.indexOf(other.kind)
  return strength !== 0 ? strength : one.foundIn < other.foundIn ? -1 : 1
}
