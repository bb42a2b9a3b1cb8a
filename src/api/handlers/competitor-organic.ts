import type { competitors as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { LabelRow } from '../../domain/catalogue/app.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { type PostFilters, posts as postSearch } from '../../domain/organic/post-search.ts'
import { summaryOfPosts } from '../../domain/organic/post-summary.ts'
import type { Database } from '../../storage/database.ts'
import { cursorAfter, pageOfSearch } from '../creative-lists.ts'
import { appLabel } from '../listing-facts.ts'
import { postShapes } from '../post-shapes.ts'

type C = typeof contract

/** A page of the posts linked to an app, with a summary of all that match the filters. */
export async function competitorOrganic(
  db: Database,
  app: LabelRow,
  accountId: string,
  input: Input<C['get_competitor_organic']>,
): Promise<Reply<C['get_competitor_organic']>> {
  const { platform: _platform, storeId: _storeId, limit, cursor, ...asked } = input
  const { sort, saved, ...others } = asked
  const list = ['get_competitor_organic', accountId, app.storeId, asked]
  const page = pageOfSearch(cursor, list, { q: asked.q, sort, limit })
  const marked = saved === undefined ? undefined : { accountId, is: saved }
  const filters: PostFilters = { ...others, apps: [app.storeId], saved: marked }
  const [found, { posts, ...summary }] = await Promise.all([
    findCreatives(db, postSearch, filters, sort, page),
    summaryOfPosts(db, filters),
  ])
  const total = { value: posts, relation: 'exact' } as const
  return {
    app: appLabel(app.storeId, app),
    summary: { posts: total, ...summary },
    items: await postShapes(db, accountId, found.numbers),
    total,
    nextCursor: cursorAfter(found, list),
  }
}
