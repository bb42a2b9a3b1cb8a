import type { NotMeasured } from '../../vocabulary/facts.ts'
import type { Network } from '../../vocabulary/networks.ts'
import type { PostMetric } from '../../vocabulary/post-fields.ts'
import { notMeasured } from '../facts/fact.ts'
import { metricsHiddenBy, type PostMetrics } from './post.ts'

/** A number with the formula that made it, or why there is none. */
export type ComputedNumber =
  | { state: 'measured'; value: number; formula: string }
  | NotMeasured<WhyMissing | 'too-little-evidence' | 'outside-valid-range'>

type WhyMissing = 'hidden-upstream' | 'not-carried'

/** The reason for a missing count: the author hid it, the network shows it to nobody, or the source left it out. */
export function whyMetricMissing(
  network: Network,
  metric: PostMetric,
  { hidden }: Pick<PostMetrics, 'hidden'>,
): WhyMissing {
  return metricsHiddenBy(network).includes(metric) || hidden?.includes(metric)
    ? 'hidden-upstream'
    : 'not-carried'
}

export const engagementRateFormula = 'engagement-rate/1'

const reactions = ['likes', 'comments', 'shares'] as const

/**
 * Likes, comments and shares over views, to four decimals. Missing ones of the three are left out and named in the formula,
 * so that rates of different networks are not confused; docs/creatives.md, "Figures of posts".
 */
export function engagementRate(network: Network, metrics: PostMetrics): ComputedNumber {
  const { views } = metrics
  if (views === undefined) return notMeasured(whyMetricMissing(network, 'views', metrics))
  if (views === 0) return notMeasured('outside-valid-range')
  const counted = reactions.filter((metric) => metrics[metric] !== undefined)
  const missing = reactions.filter((metric) => metrics[metric] === undefined)
  if (counted.length === 0) return notMeasured('not-carried')
  const total = counted.reduce((sum, metric) => sum + (metrics[metric] ?? 0), 0)
  const named = missing.map((metric) => `${metric} ${inWords[whyMetricMissing(network, metric, metrics)]}`)
  return {
    state: 'measured',
    value: Math.round((total * 10_000) / views) / 10_000,
    formula: `${engagementRateFormula}${named.length > 0 ? ` (${named.join(', ')})` : ''}`,
  }
}

const inWords: Record<WhyMissing, string> = { 'hidden-upstream': 'hidden', 'not-carried': 'not carried' }

/** The usual views of an author: the median of their stored posts with measured views, and the number of these. */
export interface UsualViews {
  medianViews: number | null
  postsMeasured: number
  /** The same by the age at which their posts were observed. */
  usualAtAge: readonly UsualAtAge[]
}

/** The usual views of an author's posts at one age. */
export interface UsualAtAge {
  /** An index of `postAgeNames`; null for posts of unknown age. */
  age: number | null
  /** Median of the newest measured views of each post at this age. */
  medianViews: number
  posts: number
  /** Median of the newest measured views of each post at this age or older; from a week on, of all ages from a week on. */
  laterMedianViews: number
  laterPosts: number
}

export const medianViewsFormula = 'median-views/1'

export function medianViews(network: Network, { medianViews: median }: UsualViews): ComputedNumber {
  if (median !== null) return { state: 'measured', value: median, formula: medianViewsFormula }
  const reason = whyMetricMissing(network, 'views', {})
  return notMeasured(reason === 'hidden-upstream' ? reason : 'too-little-evidence')
}

/**
 * Minimum measured posts of an author for an outlier score. The post itself is part of the median: with fewer than five it
 * moves the median, and an author's second post could never be more than twice the usual.
 */
export const minMeasuredPosts = 5

/** Minimum outlier score of an outlier. */
export const minOutlierScore = 5

export const outlierScoreFormula = 'outlier-score/3'

/**
 * Views over the median of the author's posts at the age at which this one was observed, to two decimals and never rounded
 * up: 1 is usual. With too few posts at that age, the median of posts observed when older is used: views only grow, so the
 * score is then a lower bound, and is given from 1 on. From a week on views hardly change, and posts of that age or more are
 * compared with each other. The formula states the age, and the posts compared.
 */
export function outlierScore(
  network: Network,
  { metrics, age }: { metrics: PostMetrics; age: number | null },
  { usualAtAge }: Pick<UsualViews, 'usualAtAge'>,
): ComputedNumber {
  const { views } = metrics
  if (views === undefined) return notMeasured(whyMetricMissing(network, 'views', metrics))
  const usual = usualAtAge.find((one) => one.age === age)
  if (!usual) return notMeasured('too-little-evidence')
  const at = age === null ? 'age unknown' : `at ${postAgeNames[age]}`
  if (usual.posts >= minMeasuredPosts) return timesUsual(views, usual.medianViews, at)
  if (usual.laterPosts < minMeasuredPosts) return notMeasured('too-little-evidence')
  if (age !== null && age >= settledPostAge)
    return timesUsual(views, usual.laterMedianViews, `at ${settledName}`)
  const bound = timesUsual(views, usual.laterMedianViews, `${at}, at least: over posts seen older`)
  return bound.state === 'measured' && bound.value >= 1 ? bound : notMeasured('too-little-evidence')
}

const timesUsual = (views: number, median: number, how: string): ComputedNumber =>
  median === 0
    ? notMeasured('outside-valid-range')
    : {
        state: 'measured',
        value: Math.floor((views * 100) / median) / 100,
        formula: `${outlierScoreFormula} (${how})`,
      }

/** The age of a post when it was observed: views are compared between posts of the same age. */
const hour = 3_600_000
const day = 24 * hour

/** The upper limit of each age; the last has none, since views of a month later hardly change. */
const limits = [6 * hour, day, 3 * day, 7 * day, 30 * day]

/** For use in a formula's text; ages are indices of this list. */
export const postAgeNames = [
  'up to 6 hours',
  '6 to 24 hours',
  '1 to 3 days',
  '3 to 7 days',
  '7 to 30 days',
  '30 days or more',
] as const

/** The first age from which on views hardly change: posts of it and of older ones may be compared. */
export const settledPostAge = 4
const settledName = '7 days or more'

/** @returns the index of its age in `postAgeNames`; null without a publication time, or when observed before it */
export function postAgeOf(publishedAt: string | null | undefined, observedAt: Date): number | null {
  const age = observedAt.getTime() - Date.parse(publishedAt ?? '')
  if (!(age >= 0)) return null
  return limits.filter((limit) => age >= limit).length
}

/** The limits in seconds, as `width_bucket` takes them. */
export const ageLimitsSeconds: readonly number[] = limits.map((limit) => limit / 1000)
