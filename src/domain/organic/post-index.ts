import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { writeDocuments } from '../creatives/search/search-writes.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields } from './post.ts'
import { type PostToIndex, postDocument } from './post-document.ts'
import { posts } from './post-search.ts'
import { fewestMeasuredPosts } from './scores.ts'

/** Tells search about stored posts, new or changed: what it has of them is read from the store. Two statements. */
export async function indexPosts(db: Database, postNumbers: readonly string[]): Promise<void> {
  await indexPostRows(db, await postsToIndex(db, postNumbers))
}

/** As `indexPosts`, for who has the rows at hand. */
export const indexPostRows = (db: Database, rows: readonly PostToIndex[]): Promise<void> =>
  writeDocuments(db, posts, rows.map(postDocument))

/** Brings the outlier scores of all posts of these authors up to date with their medians. One statement. */
export async function reindexOutliers(
  db: Database,
  authors: readonly { network: Network; author: string }[],
): Promise<void> {
  if (authors.length === 0) return
  await sql`
    update post_sort_keys s set outlier = fresh.outlier
    from (
      select p.post_number,
        case when held.views >= 0 and a.median_views > 0 and a.posts_measured >= ${fewestMeasuredPosts}
          then floor(held.views * 100 / a.median_views) / 100 else '-infinity' end as outlier
      from json_to_recordset(${JSON.stringify(authors)}::json) as sent(network text, author text)
      join post_authors a on a.network = sent.network and a.author = sent.author collate "C"
      join posts p on p.network = a.network and p.author = a.author
      join post_sort_keys held on held.post_number = p.post_number
    ) fresh
    where s.post_number = fresh.post_number and s.outlier <> fresh.outlier`.execute(db)
}

type StoredPost = Pick<PostToIndex, 'postNumber' | 'network' | 'author' | 'medianViews' | 'postsMeasured'> & {
  facts: Stated<PostFields>
  views: number | null
  likes: number | null
  comments: number | null
  shares: number | null
}

async function postsToIndex(db: Database, postNumbers: readonly string[]): Promise<PostToIndex[]> {
  const found = await rows(
    db,
    sql<StoredPost>`
      select p.post_number::text as "postNumber", p.network, p.author, p.facts, a.median_views as "medianViews",
        coalesce(a.posts_measured, 0) as "postsMeasured",
        m.views::double precision, m.likes::double precision, m.comments::double precision,
        m.shares::double precision
      from posts p
      left join post_authors a on a.network = p.network and a.author = p.author
      left join lateral (
        select views, likes, comments, shares from post_metrics
        where post_number = p.post_number order by observed_at desc limit 1
      ) m on true
      where p.post_number = any(${postNumbers}::bigint[])`,
  )
  return found.map(({ views, likes, comments, shares, ...post }) => ({
    ...post,
    metrics: {
      ...(views === null ? {} : { views }),
      ...(likes === null ? {} : { likes }),
      ...(comments === null ? {} : { comments }),
      ...(shares === null ? {} : { shares }),
    },
  }))
}
