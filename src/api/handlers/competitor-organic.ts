import type { competitors as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import { Day } from '../../contract/shapes/primitives.ts'
import type { AppRecord } from '../../domain/catalogue/record.ts'
import type { PostFilters } from '../../domain/organic/post-filters.ts'
import { findPosts } from '../../domain/organic/post-search.ts'
import { summaryOfPosts } from '../../domain/organic/post-summary.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, encodeCursor, isNumberPart, isStoreIdPart } from '../cursor.ts'
import { labelOfRecord } from '../listing-facts.ts'
import { postShapes } from '../post-shapes.ts'

type C = typeof contract

const isKeyPart = (text: string) => text === '-Infinity' || isNumberPart(text)
const isDayPart = (text: string) => Day.safeParse(text).success

/** A page of the posts linked to an app, with a summary of all that pass the filters. */
export async function competitorOrganic(
  db: Database,
  record: AppRecord,
  accountId: string,
  input: Input<C['get_competitor_organic']>,
): Promise<Reply<C['get_competitor_organic']>> {
  const { platform: _, storeId, sort, limit, cursor, saved, ...asked } = input
  const list = ['get_competitor_organic', accountId, storeId, sort, saved, asked]
  const [key, number, day] = decodeCursor(cursor, list, [isKeyPart, isStoreIdPart, isDayPart]) ?? []
  const after = key !== undefined && number !== undefined ? { key, number } : undefined
  // Relevance fades with age: all pages of a list are as seen on the day of the first.
  const asOf = day ?? new Date().toISOString().slice(0, 10)
  const filters: PostFilters = {
    ...asked,
    apps: [record.storeId],
    ...(saved === undefined ? {} : { saved: { accountId, is: saved } }),
  }
  const [page, { posts, ...summary }] = await Promise.all([
    findPosts(db, filters, sort, { after, limit, asOf: new Date(asOf) }),
    summaryOfPosts(db, filters),
  ])
  const shapes = await postShapes(db, accountId, page.numbers)
  const total = { value: posts, relation: 'exact' } as const
  return {
    app: labelOfRecord(record),
    summary: { posts: total, ...summary },
    items: [...shapes.values()],
    total,
    nextCursor: page.next ? encodeCursor([page.next.key, page.next.number, asOf], list) : null,
  }
}
