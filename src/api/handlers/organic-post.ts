import type { Input, Reply } from '../../contract/operation.ts'
import type { organic as contract } from '../../contract/organic.ts'
import { numberOf } from '../../domain/creatives/kind.ts'
import { postKind } from '../../domain/organic/post.ts'
import type { Database } from '../../storage/database.ts'
import { postDetails } from '../post-shapes.ts'
import { Problem } from '../problem.ts'

type C = typeof contract

/** Observations shown of one post. */
const shownObservations = 500

/** The refusal of an unknown post. */
export const postNotFound = (postId: string) =>
  new Problem('post-not-found', `No post with the id ${postId} is stored.`)

export async function getOrganicContent(
  db: Database,
  accountId: string,
  { postId }: Input<C['get_organic_content']>,
): Promise<Reply<C['get_organic_content']>> {
  const number = await numberOf(db, postKind, { postId })
  const [detail] = await postDetails(db, accountId, number ? [number] : [], shownObservations)
  if (!detail) throw postNotFound(postId)
  return detail
}
