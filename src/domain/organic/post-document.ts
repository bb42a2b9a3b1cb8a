import type { Network } from '../../vocabulary/networks.ts'
import {
  dateTerms,
  filterTerm,
  languageTerms,
  secondsOf,
  stepTerms,
  wordTerms,
} from '../creatives/search/condition.ts'
import type { SearchDocument } from '../creatives/search/search-writes.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields, PostMetrics } from './post.ts'
import { type Computed, engagementRate, outlierScore, type UsualViews } from './scores.ts'

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
export type PostKey = 'published' | 'views' | 'engagement' | 'outlier'

/** Steps of views with a term of their own; every post with measured views has the first. */
export const viewSteps = [0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

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
