import type { Network } from '../../vocabulary/networks.ts'
import {
  dateTerms,
  filterTerm,
  languageTerms,
  secondsOf,
  stepTerms,
  wordTerms,
} from '../creatives/search/terms.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields, PostMetrics } from './post.ts'
import { type Computed, engagementRate, outlierScore, type UsualViews } from './scores.ts'

/** What search needs to know of a post. */
export interface PostToIndex extends UsualViews {
  postNumber: string
  network: Network
  /** Lower case, without `@`; null when no source names one. */
  author: string | null
  facts: Stated<PostFields>
  /** Of the newest observation. */
  metrics: PostMetrics
}

/** What search stores of a post; null is not measured. */
export interface PostDocument {
  postNumber: string
  terms: string[]
  /** Seconds since 1970. */
  published: number | null
  views: number | null
  engagement: number | null
  outlier: number | null
}

/** Numbers of views that have a term of their own; every post whose views are measured has the first. */
export const viewSteps = [0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

export function postDocument(post: PostToIndex): PostDocument {
  const { postNumber, network, author, facts, metrics } = post
  const { title, text, hashtags, authorName, language, detectedLanguage, publishedAt, mediaType } = facts
  const views = metrics.views ?? null
  return {
    postNumber,
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
    published: secondsOf(publishedAt),
    views,
    engagement: measuredValue(engagementRate(network, metrics)),
    outlier: measuredValue(outlierScore(network, metrics, post)),
  }
}

const measuredValue = (computed: Computed) => (computed.state === 'measured' ? computed.value : null)
