import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { organicOperations as contract } from '../../contract/organic.ts'
import { PostId, type SavedOrganicPost } from '../../contract/shapes/organic.ts'
import { creativeNumberOf } from '../../domain/creatives/kind.ts'
import { unsaveCreative } from '../../domain/creatives/saving.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { saveWithMedia } from '../../domain/media/archive-media.ts'
import { postKind } from '../../domain/organic/post.ts'
import { searchablePosts } from '../../domain/organic/post-search.ts'
import { savedPostsOf } from '../../domain/organic/shown-posts.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import { decodeSearchCursor, nextSearchCursor, resolveAppFilter } from '../creative-lists.ts'
import { decodeCursor, encodeCursor, isTimePart } from '../cursor.ts'
import type { Handlers } from '../door.ts'
import { postDetails, postShapes } from '../post-shapes.ts'
import { Problem } from '../problem.ts'
import { type Replies, withRememberedReplies } from '../remembered-replies.ts'

export function organicHandlers(db: Database, enqueue: Enqueue, replies: Replies): Handlers<typeof contract> {
  return {
    search_organic_content: withRememberedReplies(
      replies,
      'search_organic_content',
      (input: Input<C['search_organic_content']>, { accountId }) => ({ input, accountId }),
      ({ input, accountId }) => searchOrganicContent(db, accountId, input),
    ),
    get_organic_content: (input, caller) => getOrganicContent(db, caller.accountId, input),
    list_saved_organic_content: (input, caller) => listSavedOrganicContent(db, caller.accountId, input),
    save_organic_content: (input, caller) => saveOrganicContent(db, enqueue, caller.accountId, input),
    remove_saved_organic_content: (input, caller) => removeSavedOrganicContent(db, caller.accountId, input),
  }
}

type C = typeof contract

/** Observations shown of one post. */
const shownObservations = 500

/** The refusal of an unknown post. */
const postNotFound = (postId: string) =>
  new Problem('post-not-found', `No post with the id ${postId} is stored.`)

async function getOrganicContent(
  db: Database,
  accountId: string,
  { postId }: Input<C['get_organic_content']>,
): Promise<Reply<C['get_organic_content']>> {
  const number = await creativeNumberOf(db, postKind, { postId })
  const [detail] = await postDetails(db, accountId, number ? [number] : [], shownObservations)
  if (!detail) throw postNotFound(postId)
  return detail
}

export async function searchOrganicContent(
  db: Database,
  accountId: string,
  { limit, cursor, ...asked }: Input<C['search_organic_content']>,
): Promise<Reply<C['search_organic_content']>> {
  const { competitor, saved, sort, ...filters } = asked
  const list = ['search_organic_content', accountId, asked]
  const page = decodeSearchCursor(cursor, list, { q: asked.q, sort, limit })
  const apps = competitor && (await resolveAppFilter(db, competitor))
  const marked = saved === undefined ? undefined : { accountId, is: saved }
  const found = await findCreatives(db, searchablePosts, { ...filters, apps, saved: marked }, sort, page)
  return {
    items: await postShapes(db, accountId, found.numbers),
    total: found.total,
    nextCursor: nextSearchCursor(found, list),
  }
}

const isPostIdPart = (text: string) => PostId.safeParse(text).success

async function listSavedOrganicContent(
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

async function saveOrganicContent(
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

async function removeSavedOrganicContent(
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
  const searchablePosts = await postShapes(db, accountId, postNumbers)
  return searchablePosts.flatMap((post) => (post.saved ? [{ ...post.saved, post }] : []))
}
