import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { writeDocuments } from '../creatives/search/search-writes.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields } from './post.ts'
import { withAuthorsLanguage } from './post-language.ts'
import { type PostToIndex, postDocument, posts } from './post-search.ts'
import { ageOf, outlierScore } from './scores.ts'

/** Indexes stored posts for search, new or changed, from the store. Two statements. */
export async function indexPosts(db: Database, postNumbers: readonly string[]): Promise<void> {
  await indexPostRows(db, await postsToIndex(db, postNumbers))
}

/** As `indexPosts`, for callers that have the rows already. */
export const indexPostRows = (db: Database, rows: readonly PostToIndex[]): Promise<void> =>
  writeDocuments(db, posts, rows.map(postDocument))

/** Updates the outlier scores of all posts of these authors from their usual views. */
export async function reindexOutliers(
  db: Database,
  authors: readonly { network: Network; author: string }[],
): Promise<void> {
  if (authors.length === 0) return
  const posts = await rows(
    db,
    sql<SortedPost>`
      with a as materialized (
        select a.*
        from json_to_recordset(${JSON.stringify(authors)}::json) as sent(network text, author text)
        join post_authors a on a.network = sent.network and a.author = sent.author collate "C"
      )
      select p.post_number::text as "postNumber", p.network, held.views, held.outlier, p.facts->>'publishedAt' as "publishedAt",
        p.last_observed_at as "lastObservedAt", a.usual_at_age as "usualAtAge"
      from a
      join posts p on p.network = a.network and p.author = a.author
      join post_sort_keys held on held.post_number = p.post_number
      where held.views >= 0`,
  )
  const changed = posts.flatMap(
    ({ postNumber, network, views, outlier, publishedAt, lastObservedAt, usualAtAge }) => {
      const score = outlierScore(
        network,
        { metrics: { views }, age: ageOf(publishedAt, lastObservedAt) },
        { usualAtAge },
      )
      const value = score.state === 'measured' ? score.value : Number.NEGATIVE_INFINITY
      return value === outlier ? [] : [{ postNumber, outlier: String(value) }]
    },
  )
  if (changed.length === 0) return
  await sql`
    update post_sort_keys s set outlier = fresh.outlier::double precision
    from json_to_recordset(${JSON.stringify(changed)}::json) as fresh("postNumber" bigint, outlier text)
    where s.post_number = fresh."postNumber"`.execute(db)
}

interface SortedPost extends Pick<PostToIndex, 'postNumber' | 'network' | 'usualAtAge'> {
  /** Of the newest observation. */
  views: number
  /** The sort key; minus infinity where not measured. */
  outlier: number
  publishedAt: string | null
  lastObservedAt: Date
}

type StoredPost = Pick<
  PostToIndex,
  'postNumber' | 'network' | 'author' | 'medianViews' | 'postsMeasured' | 'usualAtAge'
> & {
  facts: Stated<PostFields>
  /** The author's usual language. */
  language: string | null
  lastObservedAt: Date
  views: number | null
  likes: number | null
  comments: number | null
  shares: number | null
}

async function postsToIndex(db: Database, postNumbers: readonly string[]): Promise<PostToIndex[]> {
  const found = await rows(
    db,
    sql<StoredPost>`
      with p as materialized (
        select p.*, m.views, m.likes, m.comments, m.shares
        from posts p
        left join lateral (
          select views, likes, comments, shares from post_metrics
          where post_number = p.post_number order by observed_at desc limit 1
        ) m on true
        where p.post_number = any(${postNumbers}::bigint[])
      )
      select p.post_number::text as "postNumber", p.network, p.author, p.facts, a.median_views as "medianViews",
        coalesce(a.posts_measured, 0) as "postsMeasured", coalesce(a.usual_at_age, '[]') as "usualAtAge",
        p.last_observed_at as "lastObservedAt", a.language,
        p.views::double precision, p.likes::double precision, p.comments::double precision,
        p.shares::double precision
      from p left join post_authors a on a.network = p.network and a.author = p.author`,
  )
  return found.map(({ views, likes, comments, shares, lastObservedAt, language, ...post }) => ({
    ...post,
    facts: withAuthorsLanguage(post.facts, language),
    age: ageOf(post.facts.publishedAt, lastObservedAt),
    metrics: {
      ...(views === null ? {} : { views }),
      ...(likes === null ? {} : { likes }),
      ...(comments === null ? {} : { comments }),
      ...(shares === null ? {} : { shares }),
    },
  }))
}
