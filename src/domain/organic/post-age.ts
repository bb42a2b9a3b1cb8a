/** The age of a post when it was observed: views are compared between posts of the same age. */
const hour = 3_600_000
const day = 24 * hour

/** The upper limit of each age; the last has none, since views of a month later hardly change. */
const limits = [6 * hour, day, 3 * day, 7 * day, 30 * day]

/** For use in a formula's text; ages are indices of this list. */
export const ageNames = [
  'up to 6 hours',
  '6 to 24 hours',
  '1 to 3 days',
  '3 to 7 days',
  '7 to 30 days',
  '30 days or more',
] as const

/** The first age from which on views hardly change: posts of it and of older ones may be compared. */
export const settledAge = 4
export const settledName = '7 days or more'

/** @returns the index of its age in `ageNames`; null without a publication time, or when observed before it */
export function ageOf(publishedAt: string | null | undefined, observedAt: Date): number | null {
  const age = observedAt.getTime() - Date.parse(publishedAt ?? '')
  if (!(age >= 0)) return null
  return limits.filter((limit) => age >= limit).length
}

/** The limits in seconds, as `width_bucket` takes them. */
export const ageLimitsSeconds: readonly number[] = limits.map((limit) => limit / 1000)
