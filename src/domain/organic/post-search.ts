import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import {
  anyOf,
  dateTerms,
  filterTerm,
  languageTerms,
  quoted,
  secondsOf,
  stepTerms,
  wordTerms,
} from '../creatives/search/condition.ts'
import type { SearchDocument } from '../creatives/search/search-writes.ts'
import type { Rankable, SearchedKind, SharedFilters } from '../creatives/search/searched-kind.ts'
import type { Stated } from '../facts/merge.ts'
import { type PostFields, type PostMediaType, type PostMetrics, postKind } from './post.ts'
import { type Computed, engagementRate, outlierScore, type UsualViews } from './scores.ts'

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
const measured = quoted(filterTerm('v', '0'))
/** Powers of ten of views at which popularity is at its maximum. */
const mostViews = 8

/** Steps of views with a term of their own; every post with measured views has the first. */
const viewSteps = [0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

export const posts: SearchedKind<PostFilters, PostSort, PostKey> = {
  ...postKind,
  orders: {
    recent: { table: 's', column: 'published' },
    views: { table: 't', column: 'views', measured },
    engagement: { table: 't', column: 'engagement', measured },
    outlier: { table: 't', column: 'outlier', measured },
  },
  terms: {
    network: (networks) => anyOf('n', networks),
    author: (author) => anyOf('a', [author.trim().replace(/^@/, '')]),
    hashtag: (tags) => {
      const bare = tags.map((tag) => tag.trim().replace(/^#/, ''))
      return anyOf('h', bare)
    },
    language: (tags) => anyOf('l', tags),
    mediaType: (types) => anyOf('m', types),
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

function rankablePosts(db: Database, numbers: readonly string[]): Promise<Rankable[]> {
  return rows(
    db,
    sql<Rankable>`
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
  /** Of the newest observation, as `ageOf` returns it. */
  age: number | null
}

/** The sort keys of posts. */
type PostKey = 'published' | 'views' | 'engagement' | 'outlier'

export function postDocument(post: PostToIndex): SearchDocument<PostKey> {
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
      published: secondsOf(publishedAt),
      views,
      engagement: measuredValue(engagementRate(network, metrics)),
      outlier: measuredValue(outlierScore(network, post, post)),
    },
  }
}

const measuredValue = (computed: Computed) => (computed.state === 'measured' ? computed.value : null)
