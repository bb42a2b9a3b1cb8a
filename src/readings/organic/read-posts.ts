import type { PostSighting } from '../../domain/organic/post.ts'
import type { Harvest, ReadingContext, Rejection } from '../harvest.ts'
import { rowsOf } from '../rows.ts'
import { readOwnPost } from './own-post.ts'

/** Organic posts of a payload. @throws UnreadableError when it is neither a list nor lines nor a table */
export function readPosts(bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const { rows, rejected } = rowsOf(bytes, context, from)
  const posts: PostSighting[] = []
  const refused: Rejection[] = []
  for (const { position, record } of rows) {
    const post = readOwnPost(record)
    if (typeof post === 'string') refused.push({ position, reason: post, record })
    else posts.push(post)
  }
  const newest = newestObservation(posts)
  return {
    source: 'organic-file',
    ...(newest ? { madeAt: newest } : {}),
    sightings: [],
    charts: [],
    posts,
    rejected: [...rejected, ...refused],
    records: rows.length + rejected.length,
  }
}

function newestObservation(posts: readonly PostSighting[]): Date | undefined {
  return posts.reduce<Date | undefined>(
    (newest, { observedAt }) => (observedAt && (!newest || observedAt > newest) ? observedAt : newest),
    undefined,
  )
}
