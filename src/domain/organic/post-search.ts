import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { endOfNewestDay } from '../creatives/as-of.ts'
import { ageTiers, leadingWordsOf, stepTiers } from '../creatives/condition.ts'
import { type Choice, orderedPage, type Total } from '../creatives/ordered-search.ts'
import { rankedPage } from '../creatives/ranked-search.ts'
import { askedFor, relevance } from '../creatives/relevance.ts'
import type { Place } from '../creatives/shelf.ts'
import { viewSteps } from './post-document.ts'
import { type PostFilters, type PostSort, postCondition, postOrders, postSpan, posts } from './post-filters.ts'

export interface PostPage {
  /** Numbers of posts, in the order asked for. */
  numbers: string[]
  total: Total
  /** Where the next page begins; null on the last one. */
  next: Place | null
  /** The moment by which the list is ranked; undefined when its order needs none. */
  asOf: Date | undefined
}

/**
 * Stored posts that meet the filters. `relevance` ranks a bounded number of matches of `q`, as seen at `asOf`, which
 * later pages take from the first one, so that all are ranked alike; without `q` it is `recent`.
 */
export async function findPosts(
  db: Database,
  filters: PostFilters,
  sort: PostSort | 'relevance',
  { after, limit, asOf: before }: { after?: Place | undefined; limit: number; asOf?: Date | undefined },
  choose?: Choice,
): Promise<PostPage> {
  const condition = postCondition(filters)
  if (!condition) return { numbers: [], total: { value: 0, relation: 'exact' }, next: null, asOf: undefined }
  const { q } = filters
  const leading = q === undefined ? undefined : leadingWordsOf(q)
  if (q !== undefined && leading !== undefined && sort === 'relevance') {
    const asOf = before ?? (await endOfNewestDay(db, 'post_search', 'published'))
    const orders = [
      { order: postOrders.views, tiers: stepTiers('v', viewSteps) },
      { order: postOrders.recent, tiers: ageTiers(asOf) },
    ]
    const scored = (numbers: readonly string[]) => scoresOf(db, q, numbers, asOf)
    const ranked = await rankedPage(db, posts, { condition, leading, orders, after, limit, scored }, choose)
    return { ...ranked, asOf }
  }
  const order = sort === 'relevance' ? 'recent' : sort
  const question = { condition, order: postOrders[order], span: postSpan(filters, order), after, limit }
  const { places, total, next } = await orderedPage(db, posts, question, choose)
  return { numbers: places.map(({ number }) => number), total, next, asOf: undefined }
}

interface Rankable {
  number: string
  title: string | null
  hashtags: string[] | null
  author: string | null
  authorName: string | null
  text: string | null
  views: number | null
  published: number | null
}

/** Powers of ten of views at which a post did as well as posts do. */
const mostViews = 8

async function scoresOf(
  db: Database,
  q: string,
  numbers: readonly string[],
  asOf: Date,
): Promise<Map<string, number>> {
  const asked = askedFor(q)
  const found = await rows(
    db,
    sql<Rankable>`
      select p.post_number::text as number, p.facts ->> 'title' as title, p.facts -> 'hashtags' as hashtags, p.author,
        p.facts ->> 'authorName' as "authorName", p.facts ->> 'text' as text,
        nullif(t.views, '-infinity') as views, nullif(s.published, '-infinity') as published
      from unnest(${numbers}::bigint[]) as asked(post_number)
      join posts p using (post_number)
      join post_search s using (post_number)
      join post_standing t using (post_number)`,
  )
  const scored = found.map(({ number, title, hashtags, author, authorName, text, views, published }) => {
    const leading = [title, author, authorName, ...(hashtags ?? [])].filter((piece) => piece !== null)
    const standing = views === null ? 0 : Math.min(1, Math.log10(1 + views) / mostViews)
    const ageDays = published === null ? null : (asOf.getTime() / 1000 - published) / 86_400
    return [number, relevance(asked, { leading, text: text ?? '', standing, ageDays })] as const
  })
  return new Map(scored)
}
