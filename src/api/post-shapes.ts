import type { z } from 'zod'
import type { CreativeLink } from '../contract/shapes/creatives.ts'
import type { MetricsPoint, OrganicPost, OrganicPostDetail } from '../contract/shapes/organic.ts'
import { labelsOfApps } from '../domain/catalogue/app-queries.ts'
import { groundStrength } from '../domain/creatives/grounds.ts'
import type { Known, StatedBy } from '../domain/creatives/stated.ts'
import type { NamedReading } from '../domain/evidence/reading.ts'
import { mediaIdOf } from '../domain/media/media-id.ts'
import type { PostField, PostFields, PostMetrics } from '../domain/organic/post.ts'
import {
  type GroundRow,
  groundsOfPosts,
  type MetricsRow,
  metricsHistory,
  newestMetrics,
  type PostRow,
  postNumberOf,
  postsByNumber,
} from '../domain/organic/post-queries.ts'
import { engagementRate, medianViews, outlierScore, whyMissing } from '../domain/organic/scores.ts'
import type { Database } from '../storage/database.ts'
import { evidenceOfKnown, statedFact } from './creative-facts.ts'
import { creativeMedia } from './creative-media.ts'
import { languageFact, withDetection } from './detected-language.ts'
import { keptShapes } from './kept-media-shapes.ts'
import { appLabel } from './listing-facts.ts'
import { savedMark } from './saved-mark.ts'

type Shape = z.output<typeof OrganicPost>
type Label = ReturnType<typeof appLabel>

/** Storefront whose names of linked apps are preferred: posts belong to none. */
const namesFrom = 'us'

/** Observations shown of one post. */
const shownObservations = 500

/**
 * Posts as replies show them to an account, by post number, in the order asked; numbers of nothing are left out. Takes
 * the same few queries for one and for a hundred.
 */
export async function postShapes(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<Map<string, Shape>> {
  if (postNumbers.length === 0) return new Map()
  const [posts, metrics, parts] = await Promise.all([
    postsByNumber(db, accountId, postNumbers),
    newestMetrics(db, postNumbers),
    groundsAndLabels(db, postNumbers),
  ])
  const kept = await keptShapes(db, posts.flatMap(mediaIdsOf))
  const rows = new Map(posts.map((post) => [post.postNumber, post]))
  const newest = Map.groupBy(metrics, (row) => row.postNumber)
  return new Map(
    postNumbers.flatMap((postNumber) => {
      const post = rows.get(postNumber)
      if (!post) return []
      const [observation] = newest.get(postNumber) ?? []
      // A replay that began after the first query leaves a post without observations.
      if (!observation) return []
      const stored = evidenced({ post, metrics: [observation], kept, ...parts })
      return [[postNumber, postShape(stored, observation)] as const]
    }),
  )
}

/** One post with its metrics over time; undefined when it is not stored. */
export async function postDetail(
  db: Database,
  accountId: string,
  postId: string,
): Promise<z.output<typeof OrganicPostDetail> | undefined> {
  const postNumber = await postNumberOf(db, postId)
  if (postNumber === undefined) return undefined
  const [[post], metrics, parts] = await Promise.all([
    postsByNumber(db, accountId, [postNumber]),
    metricsHistory(db, postNumber, shownObservations),
    groundsAndLabels(db, [postNumber]),
  ])
  const [newest] = metrics
  if (!post || !newest) return undefined
  const kept = await keptShapes(db, mediaIdsOf(post))
  const stored = evidenced({ post, metrics, kept, ...parts })
  return {
    ...postShape(stored, newest),
    metricsHistory: metrics.map((row) => metricsPoint(stored, row)).reverse(),
  }
}

async function groundsAndLabels(db: Database, postNumbers: readonly string[]) {
  const grounds = await groundsOfPosts(db, postNumbers)
  const storeIds = [...new Set(grounds.map((ground) => ground.storeId))]
  const labels = storeIds.length === 0 ? [] : await labelsOfApps(db, storeIds, namesFrom)
  const rows = new Map(labels.map((row) => [row.storeId, row]))
  return {
    grounds: Map.groupBy(grounds, (ground) => ground.postNumber),
    labels: new Map(storeIds.map((storeId) => [storeId, appLabel(storeId, rows.get(storeId))])),
  }
}

const mediaIdsOf = ({ postId, facts }: PostRow): string[] =>
  (facts.media ?? []).map(({ kind }, index) => mediaIdOf({ postId }, kind, index + 1))

/** What is stored of a post, for shaping. */
interface Stored {
  post: PostRow
  /** Newest first. */
  metrics: readonly MetricsRow[]
  grounds: ReadonlyMap<string, readonly GroundRow[]>
  labels: ReadonlyMap<string, Label>
  kept: Awaited<ReturnType<typeof keptShapes>>
}

interface Evidenced extends Stored {
  /** What is known of the post, with every reading behind the shape as evidence. */
  known: Known<PostFields>
}

/** Adds the readings that only metrics and grounds rest on. */
function evidenced(stored: Stored): Evidenced {
  const { post, metrics } = stored
  const known = withDetection<PostFields>(post)
  const evidence = [...known.evidence]
  for (const row of metrics) if (placeOfMetrics(evidence, row) === -1) evidence.push(bareEntry(row))
  for (const row of stored.grounds.get(post.postNumber) ?? [])
    if (placeOfReading(evidence, row) === -1) evidence.push(bareEntry(row))
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

function placeOfReading(evidence: readonly Entry[], { readingId }: NamedReading): number {
  return evidence.findIndex((entry) => entry.readingId === readingId && entry.source !== 'derived')
}

function placeOfMetrics(evidence: readonly Entry[], { readingId, observedAt }: MetricsRow): number {
  const at = observedAt.toISOString()
  return evidence.findIndex(
    (entry) => entry.readingId === readingId && entry.observedAt === at && entry.source !== 'derived',
  )
}

function postShape(stored: Evidenced, newest: MetricsRow): Shape {
  const { post, known, kept } = stored
  const { postId, network } = post
  const counts = countsOf(newest)
  return {
    postId,
    network,
    url: known.facts.url ?? '',
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

function authorShape({ post, known }: Evidenced): Shape['author'] {
  return {
    handle: post.author,
    name: statedFact(known, 'authorName'),
    profileUrl: statedFact(known, 'authorUrl'),
    followers: statedFact(known, 'followers'),
    medianViews: medianViews(post.network, post),
    postsMeasured: post.postsMeasured,
  }
}

const metricNames = ['views', 'likes', 'comments', 'shares', 'saves'] as const

function metricsPoint(stored: Evidenced, row: MetricsRow): z.output<typeof MetricsPoint> {
  const evidence = placeOfMetrics(stored.known.evidence, row)
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

function linksOf({ post, grounds, labels, known }: Evidenced): z.output<typeof CreativeLink>[] {
  const byApp = Map.groupBy(grounds.get(post.postNumber) ?? [], (ground) => ground.storeId)
  const links = [...byApp].map(([storeId, found]) => ({
    app: labels.get(storeId) ?? appLabel(storeId, undefined),
    grounds: found.sort(byStrength).map((ground) => ({
      kind: ground.kind,
      text: ground.text,
      foundIn: ground.foundIn,
      evidence: placeOfReading(known.evidence, ground),
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
