import type { Input, Reply } from '../../contract/operation.ts'
import type { organic as contract } from '../../contract/organic.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { posts } from '../../domain/organic/post-search.ts'
import type { Database } from '../../storage/database.ts'
import { appsNamed, cursorAfter, pageOfSearch } from '../creative-lists.ts'
import { postShapes } from '../post-shapes.ts'

type C = typeof contract

export async function searchOrganicContent(
  db: Database,
  accountId: string,
  { limit, cursor, ...asked }: Input<C['search_organic_content']>,
): Promise<Reply<C['search_organic_content']>> {
  const { competitor, saved, sort, ...filters } = asked
  const list = ['search_organic_content', accountId, asked]
  const page = pageOfSearch(cursor, list, { q: asked.q, sort, limit })
  const apps = competitor && (await appsNamed(db, competitor))
  const marked = saved === undefined ? undefined : { accountId, is: saved }
  const found = await findCreatives(db, posts, { ...filters, apps, saved: marked }, sort, page)
  return {
    items: await postShapes(db, accountId, found.numbers),
    total: found.total,
    nextCursor: cursorAfter(found, list),
  }
}
