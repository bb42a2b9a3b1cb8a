import type { Input, Reply } from '../../contract/operation.ts'
import type { organic as contract } from '../../contract/organic.ts'
import type { Database } from '../../storage/database.ts'
import { postDetail } from '../post-shapes.ts'
import { Problem } from '../problem.ts'

type C = typeof contract

/** The refusal of a post nobody has observed. */
export const postNotFound = (postId: string) =>
  new Problem('post-not-found', `No post with the id ${postId} is stored.`)

export async function getOrganicContent(
  db: Database,
  accountId: string,
  { postId }: Input<C['get_organic_content']>,
): Promise<Reply<C['get_organic_content']>> {
  const detail = await postDetail(db, accountId, postId)
  if (!detail) throw postNotFound(postId)
  return detail
}
