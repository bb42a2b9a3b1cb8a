import type { z } from 'zod'
import type { OrganicPost, OrganicPostDetail } from '../contract/shapes/organic.ts'
import { numberOf } from '../domain/creatives/kind-queries.ts'
import type { Captions } from '../domain/creatives/media.ts'
import { fieldFact } from '../domain/facts/fact.ts'
import { mediaIdsOf } from '../domain/media/media-id.ts'
import type { PostFields } from '../domain/organic/post.ts'
import { postKind } from '../domain/organic/post-kind.ts'
import {
  groundsOfPosts,
  metricsHistories,
  metricsHistory,
  newestMetrics,
  postsByNumber,
} from '../domain/organic/post-queries.ts'
import type { Database } from '../storage/database.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { labelsOfLinked } from './creative-links.ts'
import { keptShapes } from './kept-media-shapes.ts'
import { evidenced, metricsPoint, postShape } from './post-shape.ts'

type Shape = z.output<typeof OrganicPost>

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
  const [{ posts, kept }, metrics, parts] = await Promise.all([
    postsAndCopies(db, accountId, postNumbers),
    newestMetrics(db, postNumbers),
    groundsAndLabels(db, postNumbers),
  ])
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
  const postNumber = await numberOf(db, postKind, { postId })
  if (postNumber === undefined) return undefined
  const [{ posts, kept }, metrics, parts] = await Promise.all([
    postsAndCopies(db, accountId, [postNumber]),
    metricsHistory(db, postNumber, shownObservations),
    groundsAndLabels(db, [postNumber]),
  ])
  const [post] = posts
  const [newest] = metrics
  if (!post || !newest) return undefined
  const stored = evidenced({ post, metrics, kept, ...parts })
  return {
    ...postShape(stored, newest),
    metricsHistory: metrics.map((row) => metricsPoint(stored, row)).reverse(),
  }
}

/** What is kept of a post and shown in no reply, for exports: facts of its author's profile, and what is said in its media. */
export interface UnshownPost {
  authorBio: Fact<PostFields['authorBio'], 'not-carried'>
  authorLinks: Fact<PostFields['authorLinks'], 'not-carried'>
  captions?: (Captions & { position: number })[]
}

/** Posts as `postShapes` shows them, with all their observations, oldest first, and what else is kept of them. */
export async function wholePosts(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<(z.output<typeof OrganicPostDetail> & { unshown: UnshownPost })[]> {
  const [{ posts, kept }, points, parts] = await Promise.all([
    postsAndCopies(db, accountId, postNumbers),
    metricsHistories(db, postNumbers),
    groundsAndLabels(db, postNumbers),
  ])
  const rows = new Map(posts.map((post) => [post.postNumber, post]))
  const histories = Map.groupBy(points, (row) => row.postNumber)
  return postNumbers.flatMap((postNumber) => {
    const post = rows.get(postNumber)
    const metrics = histories.get(postNumber) ?? []
    const [newest] = metrics
    if (!post || !newest) return []
    const stored = evidenced({ post, metrics, kept, ...parts })
    const { known } = stored
    const captions = (post.facts.media ?? []).flatMap(({ captions: said }, index) =>
      said ? [{ position: index + 1, ...said }] : [],
    )
    return [
      {
        ...postShape(stored, newest),
        metricsHistory: metrics.map((row) => metricsPoint(stored, row)).reverse(),
        unshown: {
          authorBio: fieldFact(known, 'authorBio'),
          authorLinks: fieldFact(known, 'authorLinks'),
          ...(captions.length > 0 ? { captions } : {}),
        },
      },
    ]
  })
}

async function postsAndCopies(db: Database, accountId: string, postNumbers: readonly string[]) {
  const posts = await postsByNumber(db, accountId, postNumbers)
  const media = posts.flatMap(({ postId, facts }) => mediaIdsOf({ postId }, facts.media))
  return { posts, kept: await keptShapes(db, accountId, media) }
}

async function groundsAndLabels(db: Database, postNumbers: readonly string[]) {
  const grounds = await groundsOfPosts(db, postNumbers)
  const storeIds = grounds.map(({ storeId }) => storeId)
  return {
    grounds: Map.groupBy(grounds, (ground) => ground.postNumber),
    labels: await labelsOfLinked(db, storeIds),
  }
}
