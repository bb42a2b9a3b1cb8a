/** A value a field had, with the first and last sighting that showed it. */
export interface Version {
  value: string | null
  firstSeenAt: number
  lastSeenAt: number
}

/**
 * Adds a sighting to the versions of one field, which are ordered by time and do not overlap. Sightings may arrive in
 * any order, since files are imported in any order. Between two sightings of the same value nothing is known, so
 * another value seen in between splits the version at its ends.
 * @param same whether two values count as the same
 */
export function addSighting(
  versions: readonly Version[],
  value: string | null,
  at: number,
  same: (one: string | null, other: string | null) => boolean,
): Version[] {
  const before = versions.filter((version) => version.lastSeenAt < at)
  const after = versions.filter((version) => version.firstSeenAt > at)
  const around = versions.find((version) => version.firstSeenAt <= at && version.lastSeenAt >= at)
  const sighting: Version = { value, firstSeenAt: at, lastSeenAt: at }

  if (around && same(around.value, value)) return [...versions]
  const split = around ? endsAround(around, at) : []
  return [
    ...before,
    ...split.filter((end) => end.lastSeenAt < at),
    sighting,
    ...split.filter((end) => end.firstSeenAt > at),
    ...after,
  ].reduce<Version[]>((joined, version) => join(joined, version, same), [])
}

/** What is left of a version that another value interrupts: the sightings at its two ends. */
function endsAround(version: Version, at: number): Version[] {
  return [version.firstSeenAt, version.lastSeenAt]
    .filter((end) => end !== at)
    .map((end) => ({ value: version.value, firstSeenAt: end, lastSeenAt: end }))
}

function join(
  joined: Version[],
  version: Version,
  same: (one: string | null, other: string | null) => boolean,
): Version[] {
  const last = joined.at(-1)
  if (!last || !same(last.value, version.value)) return [...joined, version]
  return [
    ...joined.slice(0, -1),
    { value: version.value, firstSeenAt: last.firstSeenAt, lastSeenAt: version.lastSeenAt },
  ]
}
