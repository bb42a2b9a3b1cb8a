/** A value a field had, with the first and last sighting that showed it. */
export interface Version {
  value: string | null
  firstSeenAt: number
  lastSeenAt: number
}

/** A field as one observation showed it. */
export interface Sighting {
  value: string | null
  /** Milliseconds. */
  at: number
}

/**
 * Which of two values of one instant holds: the greater one, and any before none. That choice means nothing, but it
 * does not depend on which of them arrived first.
 */
export function greaterValue(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  return one > other ? 1 : -1
}

export const noInstants: ReadonlySet<number> = new Set()

/**
 * The versions with sightings strictly inside or at an end of them that show another value, which part them, and those that rest on
 * instants that no longer count.
 */
export function splitBy(
  versions: readonly Version[],
  sightings: readonly Sighting[],
  gone = noInstants,
): Version[] {
  return versions.filter(({ value, firstSeenAt, lastSeenAt }) => {
    const holdsAt = (at: number) => at >= firstSeenAt && at <= lastSeenAt
    if (gone.size > 0 && gone.values().some(holdsAt)) return true
    return firstSeenAt < lastSeenAt && sightings.some(({ at, ...seen }) => holdsAt(at) && seen.value !== value)
  })
}

/**
 * Adds sightings, in any order, to the versions of one field, which are ordered by time and do not overlap. The result
 * is what all sightings together show, whichever arrived first: a version ends at the last sighting before another value.
 * @param within all instants at which the field was seen in a version that is split (`splitBy`)
 * @param gone instants that no longer count, unless they are still among those
 */
export function withSightings(
  versions: readonly Version[],
  sightings: readonly Sighting[],
  within: (version: Version) => readonly number[],
  gone = noInstants,
): Version[] {
  const values = new Map<number, string | null>()
  const split = new Set(splitBy(versions, sightings, gone))
  for (const version of versions) {
    const { value, firstSeenAt, lastSeenAt } = version
    const ends = [firstSeenAt, lastSeenAt].filter((at) => !gone.has(at))
    for (const at of [...ends, ...(split.has(version) ? within(version) : [])]) values.set(at, value)
  }
  for (const { value, at } of sightings) {
    const known = values.get(at)
    if (known === undefined || greaterValue(value, known) > 0) values.set(at, value)
  }
  const joined: Version[] = []
  for (const [at, value] of [...values].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && last.value === value) last.lastSeenAt = at
    else joined.push({ value, firstSeenAt: at, lastSeenAt: at })
  }
  return joined
}
