import type { z } from 'zod'
import type { OrganicPost, OrganicPostDetail } from '../contract/shapes/organic.ts'
import type { Captions } from '../domain/creatives/media.ts'
import { storedCreatives } from '../domain/creatives/stored-creatives.ts'
import { fieldFact } from '../domain/facts/fact.ts'
import { mediaIdsOf } from '../domain/media/media-id.ts'
import type { PostFields } from '../domain/organic/post.ts'
import { shownPosts } from '../domain/organic/shown-posts.ts'
import type { Database } from '../storage/database.ts'
import { preparing } from '../storage/prepared.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { archivedCopyShapes } from './archived-copy-shapes.ts'
import { withAllEvidence } from './creative-evidence.ts'
import { labelsOfLinked } from './creative-links.ts'
import { metricsPoint, type PostToShape, postShape } from './post-shape.ts'

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

/** Stored fields of a post that no reply shows, for exports: facts of its author's profile, and the captions of its media. */
export interface UnshownPost {
  authorBio: Fact<PostFields['authorBio'], 'not-carried' | 'unreadable'>
  authorLinks: Fact<PostFields['authorLinks'], 'not-carried' | 'unreadable'>
  captions?: (Captions & { position: number })[]
  /** Fields that an observation has and this version cannot parse. */
  unreadable?: readonly (keyof PostFields)[]
}

/** Posts in the form of `postDetails`, with all their observations and their unshown fields. */
export async function wholePosts(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<(z.output<typeof OrganicPostDetail> & { unshown: UnshownPost })[]> {
  const posts = await postsToShape(db, accountId, postNumbers, null)
  return posts.map((stored) => ({ ...detailOf(stored), unshown: unshownOf(stored) }))
}

function unshownOf({ item, known }: PostToShape): UnshownPost {
  const captions = (item.facts.media ?? []).flatMap(({ captions: said }, index) =>
    said ? [{ position: index + 1, ...said }] : [],
  )
  return {
    authorBio: fieldFact(known, 'authorBio'),
    authorLinks: fieldFact(known, 'authorLinks'),
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
  const db = preparing(store)
  const posts = await storedCreatives(db, shownPosts, accountId, postNumbers, observations)
  const media = posts.flatMap(({ item: { postId, facts } }) => mediaIdsOf({ postId }, facts.media))
  const [kept, labels] = await Promise.all([
    archivedCopyShapes(db, accountId, media),
    labelsOfLinked(
      db,
      posts.flatMap(({ grounds }) => grounds.map(({ storeId }) => storeId)),
    ),
  ])
  return posts.map((post) => {
    const found = post.grounds.filter((row) => row.readingId !== null)
    const known = withAllEvidence<PostFields>(post.item, post.observations, found)
    return { ...post, known, kept, labels }
  })
}
