import type { PostMetrics } from './post.ts'

/**
 * Likes, comments and shares together over views; what is hidden or not carried adds nothing. Null without views, and
 * where none of the three is measured.
 */
export function engagementRate({ views, likes, comments, shares }: PostMetrics): number | null {
  const measured = [likes, comments, shares].filter((count) => count !== undefined)
  if (!views || measured.length === 0) return null
  return measured.reduce((sum, count) => sum + count, 0) / views
}

/** Fewest measured posts of an author for an outlier score. */
export const fewestMeasuredPosts = 5

/** Views over the author's median views, to two decimals and never rounded up: 1 is usual. Null where it cannot be told. */
export function outlierScore(
  views: number | undefined,
  usual: { medianViews: number | null; postsMeasured: number },
): number | null {
  const { medianViews, postsMeasured } = usual
  if (views === undefined || !medianViews || postsMeasured < fewestMeasuredPosts) return null
  return Math.floor((views * 100) / medianViews) / 100
}
