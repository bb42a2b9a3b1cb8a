import type { Database } from '../../storage/database.ts'
import { type KnownMoments, momentKey, type Statement, statedAt } from '../evidence/known-moments.ts'
import type { PostSighting } from './post.ts'
import { storedPoints, storedPosts } from './post-writes.ts'

/** A post as it was observed at a moment. */
export interface ObservedPost {
  post: PostSighting
  observedAt: Date
}

const postIdOf = ({ network, nativeId }: PostSighting) => `${network}_${nativeId}`

export const postStatement = ({ post, observedAt }: ObservedPost): Statement => ({
  key: momentKey(postIdOf(post), observedAt),
  fields: { ...post.stated, ...post.metrics },
})

/** What the store knows of these posts at these moments: their counts, and the facts that rest on them. */
export async function postMoments(db: Database, observed: readonly ObservedPost[]): Promise<KnownMoments> {
  const posts = await storedPosts(db, [...new Set(observed.map(({ post }) => postIdOf(post)))])
  const stored = new Map(posts.map((post) => [post.postId, post]))
  const asked = observed.flatMap(({ post, observedAt }) => {
    const postNumber = stored.get(postIdOf(post))?.postNumber
    return postNumber === undefined ? [] : [{ postNumber, observedAt }]
  })
  const points = asked.length === 0 ? [] : await storedPoints(db, asked)
  const byNumber = new Map(posts.map((post) => [post.postNumber, post]))
  return new Map(
    points.flatMap(({ postNumber, observedAt, readingId: _id, key: _key, ...counts }) => {
      const post = byNumber.get(postNumber)
      return post
        ? [
            [
              momentKey(post.postId, observedAt),
              { ...statedAt(post.facts, post.evidence, observedAt), ...counts },
            ],
          ]
        : []
    }),
  )
}
