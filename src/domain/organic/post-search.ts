import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { anyOf, filterTerm, quoted } from '../creatives/search/condition.ts'
import type { Rankable, SearchedKind, SharedFilters } from '../creatives/search/searched-kind.ts'
import type { PostMediaType } from './post.ts'
import { type PostKey, viewSteps } from './post-document.ts'
import { postKind } from './post-kind.ts'

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
