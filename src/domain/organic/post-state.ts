import type { Network } from '../../vocabulary/networks.ts'
import { metrics } from '../../vocabulary/post-fields.ts'
import { compareReadings, type Reading } from '../evidence/reading.ts'
import { addStatement, type Known, withUnreadable } from '../facts/merge.ts'
import type { PostFields, PostMetrics, PostSighting } from './post.ts'

/** One observation of a post: the reading, with the time stated in the record itself, if any. */
export interface PostObservation {
  reading: Reading
  post: PostSighting
}

/** The counts of a post at one moment, and the reading named for them. */
export type MetricsPoint = PostMetrics & {
  observedAt: Date
  readingId: string
  /** `Reading.key`. */
  key: string
}

/** The merged facts of a post. */
export interface PostState extends Known<PostFields> {
  postId: string
  network: Network
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
}

/** A post with its points at the times of the given observations, by time. */
export interface PostWithPoints {
  state: PostState
  points: Map<number, MetricsPoint>
}

/** Adds an observation; the result does not depend on their order. */
export function addObservation(
  before: PostWithPoints | undefined,
  postId: string,
  { reading, post }: PostObservation,
): PostWithPoints {
  const { observedAt } = reading
  const known = withUnreadable(
    addStatement<PostFields>(before?.state, post.stated, reading),
    before?.state.unreadable,
    post.unreadable,
  )
  const points = before?.points ?? new Map<number, MetricsPoint>()
  const point = points.get(observedAt.getTime())
  points.set(observedAt.getTime(), together(point, post.metrics, reading))
  const first = before?.state.firstObservedAt ?? observedAt
  const last = before?.state.lastObservedAt ?? observedAt
  return {
    state: {
      ...known,
      postId,
      network: post.network,
      firstObservedAt: observedAt < first ? observedAt : first,
      lastObservedAt: observedAt > last ? observedAt : last,
      observationCount: (before?.state.observationCount ?? 0) + (point ? 0 : 1),
    },
    points,
  }
}

/**
 * Merges two observations of one moment by the higher counts: counts grow, and one may lack or hide what the other shows. Of
 * the observations that carry the first of all counts, the one with the highest is named.
 */
function together(point: MetricsPoint | undefined, looked: PostMetrics, reading: Reading): MetricsPoint {
  const { readingId, key, observedAt } = reading
  if (!point) return { ...looked, readingId, key, observedAt }
  const higher = metrics.filter((metric) => (looked[metric] ?? -1) > (point[metric] ?? -1))
  const first = metrics.find((metric) => looked[metric] !== undefined || point[metric] !== undefined)
  const gain = first ? (looked[first] ?? -1) - (point[first] ?? -1) : 0
  const named = gain > 0 || (gain === 0 && compareReadings(reading, point) > 0) ? { readingId, key } : {}
  const { hidden: before, ...counts } = {
    ...point,
    ...Object.fromEntries(higher.map((metric) => [metric, looked[metric]])),
  }
  const hidden = metrics.filter(
    (metric) => counts[metric] === undefined && (before?.includes(metric) || looked.hidden?.includes(metric)),
  )
  return { ...counts, ...(hidden.length > 0 ? { hidden } : {}), ...named }
}

/** Handles are compared in lower case. */
export const normaliseHandle = (handle: string): string => handle.toLowerCase()
