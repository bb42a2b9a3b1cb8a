import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import type { PostMediaType } from '../../vocabulary/post-fields.ts'
import {
  anyValueQuery,
  dateTerms,
  epochSecondsOf,
  filterTerm,
  languageTerms,
  quotedSearchTerm,
  stepTerms,
  wordTerms,
} from '../creatives/search/condition.ts'
import {
  type RankingValues,
  type SearchableKind,
  type SearchDocument,
  type SharedFilters,
  writeDocuments,
} from '../creatives/search/searched-kind.ts'
import type { Stated } from '../facts/merge.ts'
import { type PostFields, type PostMetrics, postKind } from './post.ts'
import { withAuthorsLanguage } from './post-language.ts'
import { type ComputedNumber, engagementRate, outlierScore, postAgeOf, type UsualViews } from './scores.ts'

export interface PostFilters extends SharedFilters {
  network?: readonly Network[] | undefined
  /** With or without `@`. */
  author?: string | undefined
  /** With or without `#`. */
  hashtag?: readonly string[] | undefined
  /** BCP 47. */
  language?: readonly string[] | undefined
  /** `YYYY-MM-DD` in UTC, included. */
  publishedFrom?: string | undefined
  publishedTo?: string | undefined
  minViews?: number | undefined
  mediaType?: readonly PostMediaType[] | undefined
}

export type PostSort = 'recent' | 'views' | 'engagement' | 'outlier'

/** The term of posts with measured views, on which engagement and outliers are based. */
const measured = quotedSearchTerm(filterTerm('v', '0'))
/** Powers of ten of views at which popularity is at its maximum. */
const mostViews = 8

/** Steps of views with a term of their own; every post with measured views has the first. */
const viewSteps = [0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

export const searchablePosts: SearchableKind<PostFilters, PostSort, PostKey> = {
  ...postKind,
  orders: {
    recent: { table: 's', column: 'published' },
    views: { table: 't', column: 'views', measured },
    engagement: { table: 't', column: 'engagement', measured },
    outlier: { table: 't', column: 'outlier', measured },
  },
  terms: {
    network: (networks) => anyValueQuery('n', networks),
    author: (author) => anyValueQuery('a', [author.trim().replace(/^@/, '')]),
    hashtag: (tags) => {
      const bare = tags.map((tag) => tag.trim().replace(/^#/, ''))
      return anyValueQuery('h', bare)
    },
    language: (tags) => anyValueQuery('l', tags),
    mediaType: (types) => anyValueQuery('m', types),
  },
  dates: {
    asked: ({ publishedFrom, publishedTo }) => ({ from: publishedFrom, to: publishedTo }),
    // To the last millisecond of the day.
    lastDay: 86_399.999,
  },
  reach: {
    order: 'views',
    asked: ({ minViews }) => minViews,
    term: 'v',
    steps: viewSteps,
    popularity: (views) => Math.log10(1 + views) / mostViews,
  },
  newest: { table: 'post_search', column: 'published' },
  rankable: rankablePosts,
}

function rankablePosts(db: Database, numbers: readonly string[]): Promise<RankingValues[]> {
  return rows(
    db,
    sql<RankingValues>`
      select p.post_number::text as number,
        to_json(array[p.facts ->> 'title', p.author, p.facts ->> 'authorName']
          || array(select jsonb_array_elements_text(coalesce(nullif(p.facts -> 'hashtags', 'null'), '[]')))) as leading,
        p.facts ->> 'text' as text, nullif(t.views, '-infinity') as reached, nullif(s.published, '-infinity') as date
      from unnest(${numbers}::bigint[]) as asked(post_number)
      join posts p using (post_number)
      join post_search s using (post_number)
      join post_sort_keys t using (post_number)`,
  )
}

/** The fields of a post that search needs. */
export interface PostToIndex extends UsualViews {
  postNumber: string
  network: Network
  /** Lower case, without `@`; null when no source names one. */
  author: string | null
  facts: Stated<PostFields>
  /** Of the newest observation. */
  metrics: PostMetrics
  /** Of the newest observation, as `postAgeOf` returns it. */
  age: number | null
}

/** The sort keys of posts. */
type PostKey = 'published' | 'views' | 'engagement' | 'outlier'

function postDocument(post: PostToIndex): SearchDocument<PostKey> {
  const { postNumber, network, author, facts, metrics } = post
  const { title, text, hashtags, authorName, language, detectedLanguage, publishedAt, mediaType } = facts
  const views = metrics.views ?? null
  return {
    number: postNumber,
    terms: [
      ...wordTerms([title, author, authorName, ...(hashtags ?? [])].join('\n'), text ?? ''),
      filterTerm('n', network),
      ...(author ? [filterTerm('a', author)] : []),
      ...(hashtags ?? []).map((tag) => filterTerm('h', tag)),
      ...languageTerms(language ?? detectedLanguage),
      ...(mediaType ? [filterTerm('m', mediaType)] : []),
      ...dateTerms(publishedAt),
      ...stepTerms('v', views, viewSteps),
    ],
    keys: {
      published: epochSecondsOf(publishedAt),
      views,
      engagement: measuredValue(engagementRate(network, metrics)),
      outlier: measuredValue(outlierScore(network, post, post)),
    },
  }
}

const measuredValue = (computed: ComputedNumber) => (computed.state === 'measured' ? computed.value : null)

/** Indexes stored posts for search, new or changed, from the store. Two statements. */
export async function indexPosts(db: Database, postNumbers: readonly string[]): Promise<void> {
  await indexPostRows(db, await postsToIndex(db, postNumbers))
}

/** As `indexPosts`, for callers that have the rows already. */
export const indexPostRows = (db: Database, rows: readonly PostToIndex[]): Promise<void> =>
  writeDocuments(db, searchablePosts, rows.map(postDocument))

/** Updates the outlier scores of all posts of these authors from their usual views. */
export async function reindexOutliers(
  db: Database,
  authors: readonly { network: Network; author: string }[],
): Promise<void> {
  if (authors.length === 0) return
  const searchablePosts = await rows(
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
  const changed = searchablePosts.flatMap(
    ({ postNumber, network, views, outlier, publishedAt, lastObservedAt, usualAtAge }) => {
      const score = outlierScore(
        network,
        { metrics: { views }, age: postAgeOf(publishedAt, lastObservedAt) },
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
    age: postAgeOf(post.facts.publishedAt, lastObservedAt),
    metrics: {
      ...(views === null ? {} : { views }),
      ...(likes === null ? {} : { likes }),
      ...(comments === null ? {} : { comments }),
      ...(shares === null ? {} : { shares }),
    },
  }))
}
