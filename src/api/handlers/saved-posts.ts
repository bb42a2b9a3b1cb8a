import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { organic as contract } from '../../contract/organic.ts'
import { PostId, type SavedOrganicPost } from '../../contract/shapes/organic.ts'
import { unsaveCreative } from '../../domain/creatives/saving.ts'
import { saveWithMedia } from '../../domain/media/archive-media.ts'
import { postKind } from '../../domain/organic/post.ts'
import { savedPostsOf } from '../../domain/organic/shown-posts.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, encodeCursor, isTimePart } from '../cursor.ts'
import { postShapes } from '../post-shapes.ts'
import { postNotFound } from './organic-post.ts'

type C = typeof contract

const isPostIdPart = (text: string) => PostId.safeParse(text).success

export async function listSavedOrganicContent(
  db: Database,
  accountId: string,
  { network, tag, limit, cursor }: Input<C['list_saved_organic_content']>,
): Promise<Reply<C['list_saved_organic_content']>> {
  const list = ['list_saved_organic_content', accountId, network, tag]
  const [savedAt, postId] = decodeCursor(cursor, list, [isTimePart, isPostIdPart]) ?? []
  const after = savedAt && postId ? { savedAt, postId } : undefined
  const found = await savedPostsOf(db, accountId, { network, tag }, { limit: limit + 1, after })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    items: await savedShapes(
      db,
      accountId,
      page.map(({ postNumber }) => postNumber),
    ),
    nextCursor: last ? encodeCursor([last.savedAt.toISOString(), last.postId], list) : null,
  }
}

export async function saveOrganicContent(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { postId, note, tags }: Input<C['save_organic_content']>,
): Promise<Reply<C['save_organic_content']>> {
  const show = (on: Database, number: string) => savedShapes(on, accountId, [number])
  const saved = await saveWithMedia(db, enqueue, postKind, accountId, { postId }, { note, tags }, show)
  const resource = saved?.shown[0]
  // A replay or a removal may happen between saving and loading.
  if (!resource) throw postNotFound(postId)
  return { created: saved.created, resource }
}

export async function removeSavedOrganicContent(
  db: Database,
  accountId: string,
  { postId }: Input<C['remove_saved_organic_content']>,
): Promise<undefined> {
  if (!(await unsaveCreative(db, postKind, accountId, { postId }))) throw postNotFound(postId)
}

/** Saved posts in the form of replies, in the given order; one that was removed meanwhile is left out. */
async function savedShapes(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<z.output<typeof SavedOrganicPost>[]> {
  const posts = await postShapes(db, accountId, postNumbers)
  return posts.flatMap((post) => (post.saved ? [{ ...post.saved, post }] : []))
}
