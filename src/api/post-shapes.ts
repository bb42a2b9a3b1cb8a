import type { z } from 'zod'
import type { MetricsPoint, OrganicPost, OrganicPostDetail, PostFactsOf } from '../contract/shapes/organic.ts'
import type { Captions } from '../domain/creatives/media.ts'
import { storedCreatives } from '../domain/creatives/stored-creatives.ts'
import { evidenceIndexOf } from '../domain/evidence/reading.ts'
import { factOf, fieldFact } from '../domain/facts/fact.ts'
import type { Known } from '../domain/facts/merge.ts'
import { mediaIdsOf } from '../domain/media/media-id.ts'
import type { PostFields, PostMetrics } from '../domain/organic/post.ts'
import {
  engagementRate,
  medianViews,
  outlierScore,
  postAgeOf,
  whyMetricMissing,
} from '../domain/organic/scores.ts'
import { type MetricsRow, postDisplayQueries, type StoredPost } from '../domain/organic/shown-posts.ts'
import type { Database } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import type { Fact } from '../vocabulary/facts.ts'
import {
  exportOnlyPostFields,
  mapMetrics,
  metrics,
  postReplyName,
  type RepliedPostField,
  repliedPostFieldsOf,
} from '../vocabulary/post-fields.ts'
import { labelsOfLinkedApps, linkShapes } from './creative-links.ts'
import {
  archivedCopyShapes,
  creativeEvidence,
  creativeMedia,
  languageFact,
  savedMark,
  withAllEvidence,
} from './creative-shapes.ts'
import type { appLabel } from './listing-facts.ts'

/**
 * Posts as an account sees them, in the given order; unknown numbers are left out. Takes the same few queries for one and
 * for a hundred.
 */
export async function postShapes(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<z.output<typeof OrganicPost>[]> {
  return (await postsToShape(db, accountId, postNumbers, 1)).map(postShape)
}

/** Posts in the form of `postShapes`, with their metrics over time, oldest first. @param observations maximum of each */
export async function postDetails(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
  observations: number,
): Promise<z.output<typeof OrganicPostDetail>[]> {
  return (await postsToShape(db, accountId, postNumbers, observations)).map(detailOf)
}

const detailOf = (stored: PostToShape) => ({
  ...postShape(stored),
  metricsHistory: stored.observations.map((row) => metricsPoint(stored, row)).reverse(),
})

/** Stored fields of a post that no reply shows, for exports: facts, such as of its author's profile, and the captions of its media. */
export type ExportOnlyPostFields = {
  [Field in (typeof exportOnlyPostFields)[number]]: Fact<PostFields[Field], 'not-carried' | 'unreadable'>
} & {
  captions?: (Captions & { position: number })[]
  /** Fields that an observation has and this version cannot parse. */
  unreadable?: readonly (keyof PostFields)[]
}

/** Posts in the form of `postDetails`, with all their observations and their unshown fields. */
export async function postsForExport(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<(z.output<typeof OrganicPostDetail> & { unshown: ExportOnlyPostFields })[]> {
  const posts = await postsToShape(db, accountId, postNumbers, null)
  return posts.map((stored) => ({ ...detailOf(stored), unshown: unshownOf(stored) }))
}

function unshownOf({ item, known }: PostToShape): ExportOnlyPostFields {
  const captions = (item.facts.media ?? []).flatMap(({ captions: said }, index) =>
    said ? [{ position: index + 1, ...said }] : [],
  )
  return {
    ...(Object.fromEntries(exportOnlyPostFields.map((field) => [field, fieldFact(known, field)])) as Pick<
      ExportOnlyPostFields,
      (typeof exportOnlyPostFields)[number]
    >),
    ...(captions.length > 0 ? { captions } : {}),
    ...(item.unreadable ? { unreadable: item.unreadable } : {}),
  }
}

async function postsToShape(
  store: Database,
  accountId: string,
  postNumbers: readonly string[],
  observations: number | null,
): Promise<PostToShape[]> {
  if (postNumbers.length === 0) return []
  const db = withPreparedStatements(store)
  const posts = await storedCreatives(db, postDisplayQueries, accountId, postNumbers, observations)
  const mediaIds = new Map(posts.map(({ item }) => [item.number, mediaIdsOf(item, item.facts.media)]))
  const [kept, labels] = await Promise.all([
    archivedCopyShapes(db, accountId, [...mediaIds.values()].flat()),
    labelsOfLinkedApps(
      db,
      posts.flatMap(({ attributions }) => attributions.map(({ storeId }) => storeId)),
    ),
  ])
  return posts.map((post) => {
    const found = post.attributions.filter((row) => row.readingId !== null)
    const known = withAllEvidence<PostFields>(post.item, post.observations, found)
    return { ...post, known, mediaIds: mediaIds.get(post.item.number) ?? [], kept, labels }
  })
}

type Shape = z.output<typeof OrganicPost>
type Label = ReturnType<typeof appLabel>

/** A stored post with its readings, and data from other tables. */
interface PostToShape extends StoredPost {
  known: Known<PostFields>
  labels: ReadonlyMap<string, Label>
  mediaIds: readonly string[]
  kept: Awaited<ReturnType<typeof archivedCopyShapes>>
}

/** A post in the form of replies. */
function postShape(stored: PostToShape): Shape {
  const { item: post, observations, known, attributions, labels, mediaIds, kept } = stored
  const { postId, network } = post
  const [newest] = observations
  if (!newest) throw new Error(`The post ${postId} has no observation.`)
  const counts = countsOf(newest)
  return {
    postId,
    network,
    url: post.facts.url,
    author: authorShape(stored),
    ...factsOf(known, repliedPostFieldsOf.post),
    ...creativeMedia(mediaIds, fieldFact(known, 'media'), kept),
    metrics: metricsPoint(stored, newest),
    engagementRate: engagementRate(network, counts),
    outlierScore: outlierScore(
      network,
      { metrics: counts, age: postAgeOf(post.facts.publishedAt, newest.observedAt) },
      post,
    ),
    firstObservedAt: post.firstObservedAt.toISOString(),
    lastObservedAt: post.lastObservedAt.toISOString(),
    observationCount: post.observationCount,
    links: linkShapes(attributions, labels, (row) => evidenceIndexOf(known.evidence, row, row.recordedAt)),
    saved: savedMark(post),
    evidence: creativeEvidence(known),
  }
}

/** Fields as facts, by their names in replies. */
function factsOf<Field extends RepliedPostField>(
  known: Known<PostFields>,
  fields: readonly Field[],
): PostFactsOf<Field> {
  const named: Record<string, unknown> = {}
  for (const field of fields)
    named[postReplyName(field)] = field === 'language' ? languageFact(known) : fieldFact(known, field)
  return named as PostFactsOf<Field>
}

function authorShape({ item: post, known }: PostToShape): Shape['author'] {
  return {
    handle: post.facts.author ?? null,
    ...factsOf(known, repliedPostFieldsOf.author),
    medianViews: medianViews(post.network, post),
    postsMeasured: post.postsMeasured,
  }
}

/** The counts of one observation, whose reading is part of the evidence. */
function metricsPoint(stored: PostToShape, row: MetricsRow): z.output<typeof MetricsPoint> {
  const evidence = evidenceIndexOf(stored.known.evidence, row, row.observedAt)
  const counts = countsOf(row)
  return {
    observedAt: row.observedAt.toISOString(),
    ...mapMetrics((metric) =>
      factOf(row[metric] ?? undefined, evidence, whyMetricMissing(stored.item.network, metric, counts)),
    ),
  }
}

/** The known counts, and which are hidden. */
function countsOf(row: MetricsRow): PostMetrics {
  const known: PostMetrics = {}
  for (const name of metrics) if (row[name] !== null) known[name] = row[name]
  return row.hidden ? { ...known, hidden: row.hidden } : known
}
