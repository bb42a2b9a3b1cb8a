/** How old a post was when it was observed: views of like ages are compared with each other. */
const hour = 3_600_000
const day = 24 * hour

/** Where each age ends and the next begins; the last has no end, since views of a month later have all but settled. */
const limits = [6 * hour, day, 3 * day, 7 * day, 30 * day]

/** In words of a formula; ages are places in this list. */
export const ageNames = [
  'up to 6 hours',
  '6 to 24 hours',
  '1 to 3 days',
  '3 to 7 days',
  '7 to 30 days',
  '30 days or more',
] as const

/** The first of the ages from which views have all but settled: posts of it and of older ones may be compared. */
export const settledAge = 4
export const settledName = '7 days or more'

/** @returns the place of its age in `ageNames`; null when nobody says when it was published, or it was seen before that */
export function ageOf(publishedAt: string | null | undefined, observedAt: Date): number | null {
  const age = observedAt.getTime() - Date.parse(publishedAt ?? '')
  if (!(age >= 0)) return null
  return limits.filter((limit) => age >= limit).length
}

/** What the age is counted by where a database does it: seconds, as `width_bucket` takes them. */
export const ageLimitsSeconds: readonly number[] = limits.map((limit) => limit / 1000)
