/** A capture with its places. */
export interface Places {
  /** Milliseconds since 1970. */
  capturedAt: number
  /** App ids in the order of their ranks; empty where an entry could not be read. */
  storeIds: readonly string[]
}

/** The ranks of every app in some captures of a chart, at the index of the capture; 0 where it does not show the app. */
export type Standings = Map<string, Uint16Array>

/** @param captures oldest first */
export function standingsIn(captures: readonly Places[]): Standings {
  const standings: Standings = new Map()
  for (const [index, { storeIds }] of captures.entries()) {
    for (let place = 0; place < storeIds.length; place++) {
      const storeId = storeIds[place]
      if (!storeId) continue
      const known = standings.get(storeId)
      const ranks = known ?? new Uint16Array(captures.length)
      if (!known) standings.set(storeId, ranks)
      if (ranks[index] === 0) ranks[index] = place + 1
    }
  }
  return standings
}
