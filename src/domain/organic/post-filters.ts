import { sql } from 'kysely'
import type { Network } from '../../vocabulary/networks.ts'
import { anyOf, type Condition, quoted, spanHint, stepHint, wordsOf } from '../creatives/condition.ts'
import type { Order, Shelf, Span } from '../creatives/shelf.ts'
import { filterTerm } from '../creatives/terms.ts'
import type { PostMediaType } from './post.ts'
import { viewSteps } from './post-document.ts'

export const posts: Shelf = { search: 'post_search', standing: 'post_standing', number: 'post_number' }

/** Filters over posts, combined with and; several values of one with or. One on a value leaves out posts without it. */
export interface PostFilters {
  q?: string | undefined
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
  /** Digits: linked to any of these apps. */
  apps?: readonly string[] | undefined
  /** Whether this account has saved it. */
  saved?: { accountId: string; is: boolean } | undefined
}

export type PostSort = 'recent' | 'views' | 'engagement' | 'outlier'

/** Engagement and outliers rest on views. */
const measured = quoted(filterTerm('v', '0'))

export const postOrders: Record<PostSort, Order> = {
  recent: { table: 's', column: 'published' },
  views: { table: 't', column: 'views', measured },
  engagement: { table: 't', column: 'engagement', measured },
  outlier: { table: 't', column: 'outlier', measured },
}

/** Undefined where a text to look for holds no word: nothing matches. */
export function postCondition(filters: PostFilters): Condition | undefined {
  const { q, network, author, hashtag, language, mediaType, minViews, apps, saved } = filters
  const words = q === undefined ? undefined : wordsOf(q)
  if (q !== undefined && words === undefined) return undefined
  const span = publishedSpan(filters)
  return {
    words: words === undefined ? [] : [words],
    terms: [
      ...(network ? [anyOf('n', network)] : []),
      ...(author === undefined ? [] : [anyOf('a', [author.trim().replace(/^@/, '')])]),
      ...(hashtag
        ? [
            anyOf(
              'h',
              hashtag.map((tag) => tag.trim().replace(/^#/, '')),
            ),
          ]
        : []),
      ...(language ? [anyOf('l', language)] : []),
      ...(mediaType ? [anyOf('m', mediaType)] : []),
    ],
    hints: [
      ...spanHint(filters.publishedFrom, filters.publishedTo),
      ...(minViews === undefined ? [] : stepHint('v', minViews, viewSteps)),
    ],
    others: [
      ...(span.from === undefined ? [] : [sql`s.published >= ${span.from}::double precision`]),
      ...(span.to === undefined
        ? []
        : [sql`s.published > '-infinity' and s.published <= ${span.to}::double precision`]),
      ...(minViews === undefined ? [] : [sql`t.views >= ${minViews}::double precision`]),
      ...(apps
        ? [
            sql`s.post_number in (select post_number from post_links where store_id = any(${[...apps]}::bigint[]))`,
          ]
        : []),
      ...(saved
        ? [
            sql`s.post_number ${saved.is ? sql`in` : sql`not in`} (
              select p.post_number from saved_posts v join posts p using (post_id)
              where v.account_id = ${saved.accountId}::uuid)`,
          ]
        : []),
    ],
    onStanding: minViews !== undefined,
  }
}

/** Keys of an order that the filters allow. */
export function postSpan(filters: PostFilters, sort: PostSort): Span {
  if (sort === 'recent') return publishedSpan(filters)
  return sort === 'views' && filters.minViews !== undefined ? { from: filters.minViews } : {}
}

function publishedSpan({ publishedFrom, publishedTo }: PostFilters): Span {
  return {
    ...(publishedFrom === undefined ? {} : { from: Date.parse(publishedFrom) / 1000 }),
    // To the last millisecond of the day.
    ...(publishedTo === undefined ? {} : { to: Date.parse(publishedTo) / 1000 + 86_399.999 }),
  }
}
