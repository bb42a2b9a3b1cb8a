/** A capture: what is stored, or about to be stored, of one chart at one instant. */
export interface Capture {
  readingId: string
  /** `Reading.key`. */
  readingKey: string
  /** Source, origin and time basis of the reading, separated by spaces. */
  readAs: string
  /** Storefront date, `YYYY-MM-DD`. */
  day: string
  requested: number | null
  /** App ids in the order of their ranks; null where no app is known. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture. */
  inParts: boolean
  /** Places of parts that lost to another app or another place, counted from 1; null when there are none. */
  beaten: [place: number, storeId: string][] | null
}

/**
 * Merges two captures of one chart at one instant, independent of their order. A whole capture takes precedence over parts;
 * of two whole ones the one with more apps does, with a deterministic choice between equals. Parts are combined.
 */
export function together(one: Capture, other: Capture, bound: number): Capture {
  if (one.inParts && other.inParts) return joined(one, other, bound)
  if (one.inParts !== other.inParts) return one.inParts ? other : one
  return weightOfCapture(one, other) >= 0 ? one : other
}

/** Positive where the first of two captures takes precedence. */
function weightOfCapture(one: Capture, other: Capture): number {
  const [mine, theirs] = [one, other].map(({ storeIds, requested, day, readingKey }) => [
    storeIds.filter((id) => id !== null).length,
    JSON.stringify(storeIds),
    requested ?? 0,
    day,
    readingKey,
  ])
  for (const [index, value] of (mine ?? []).entries()) {
    const against = theirs?.[index] ?? 0
    if (value !== against) return value > against ? 1 : -1
  }
  return 0
}

/**
 * All places of the parts. Where two apps are given for one place, or two places for one app, the better place and the
 * lower id win. The losers are kept, since a later part may displace the winner.
 */
function joined(one: Capture, other: Capture, bound: number): Capture {
  const reported = [one, other].flatMap(({ storeIds, beaten }) => [
    ...storeIds.flatMap((id, index): [number, string][] => (id === null ? [] : [[index + 1, id]])),
    ...(beaten ?? []),
  ])
  const depth = Math.min(bound, Math.max(one.storeIds.length, other.storeIds.length))
  const storeIds: (string | null)[] = Array.from({ length: depth }, () => null)
  const beaten = new Map<string, [number, string]>()
  const placed = new Set<string>()
  for (const [place, id] of reported.toSorted(betterPlace)) {
    if (storeIds[place - 1] === id) continue
    if (storeIds[place - 1] === null && !placed.has(id)) {
      storeIds[place - 1] = id
      placed.add(id)
    } else beaten.set(`${place} ${id}`, [place, id])
  }
  const { readingId, readingKey, readAs } = one.readingKey > other.readingKey ? one : other
  const requested = Math.max(one.requested ?? 0, other.requested ?? 0) || null
  const day = one.day > other.day ? one.day : other.day
  return {
    readingId,
    readingKey,
    readAs,
    day,
    requested,
    storeIds,
    inParts: true,
    beaten: beaten.size === 0 ? null : [...beaten.values()],
  }
}

function betterPlace([place, id]: [number, string], [otherPlace, otherId]: [number, string]): number {
  if (place !== otherPlace) return place - otherPlace
  return id.length - otherId.length || (id < otherId ? -1 : 1)
}
