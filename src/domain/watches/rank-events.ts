import type { FoundEvent, RankWatch } from './watch.ts'

/** One capture of a chart, or one result page of a term, reduced to the watched apps. */
export interface RankCapture {
  capturedAt: Date
  readingId: string
  /** Number of places. */
  depth: number
  /** Whether an entry could not be read: a missing app may be that one. */
  hasGaps: boolean
  /** Whether it is marked as suspect. */
  suspect: boolean
  /** Ranks of the watched apps, by their ids. */
  ranks: Readonly<Record<string, number>>
}

/** A chart or a term, with its description and its page. */
export interface WatchedRanking {
  /** `chart <chart_id>` or `term <term_id>`. */
  name: string
  /** For example `top-free (all categories, iphone, us)`. */
  words: string
  page: (storeId: string) => string
}

/** The observation of an app in a capture: its rank, or null for absent. */
type RankInCapture = { rank: number | null; capture: RankCapture }

/** A capture with less than this share of the places of the one before is in doubt until the next. */
const shortPart = 0.5

/**
 * Events in the captures of one ranking after a moment. For each app, a capture is compared with the last usable one before
 * it. Captures in doubt, gaps and places beyond the depth are not used.
 * @param captures oldest first, with some of those before the moment
 */
export function rankEvents(
  watch: RankWatch,
  ranking: WatchedRanking,
  captures: readonly RankCapture[],
  after: Date,
  apps: ReadonlyMap<string, string>,
): FoundEvent[] {
  const found: FoundEvent[] = []
  const last = new Map<string, RankInCapture>()
  for (const [index, capture] of captures.entries()) {
    if (isInDoubt(capture, captures[index - 1])) continue
    for (const [storeId, name] of apps) {
      const before = last.get(storeId)
      const rank = capture.ranks[storeId] ?? null
      // An app that was below the depth of this capture is unknown here, not absent.
      const beyond = rank === null && before?.rank != null && before.rank > capture.depth
      if (rank === null && (capture.hasGaps || beyond)) continue
      const now = { rank, capture }
      last.set(storeId, now)
      if (before && capture.capturedAt > after)
        found.push(...crossings(watch, before, now).map(eventOf(ranking, storeId, name, before, now)))
    }
  }
  return found
}

function isInDoubt({ suspect, depth }: RankCapture, before: RankCapture | undefined): boolean {
  return suspect || (before !== undefined && depth < before.depth * shortPart)
}

interface Crossing {
  what: string
  words: string
}

function crossings(watch: RankWatch, before: RankInCapture, now: RankInCapture): Crossing[] {
  if (watch.kind === 'top') return watch.places.flatMap((places) => crossed(places, before, now))
  if (watch.kind === 'moved') return moved(watch.by, before, now)
  if (before.rank === null && now.rank !== null)
    // Whether it was below the places of the earlier capture is not known.
    return now.rank > before.capture.depth ? [] : [{ what: 'entered', words: `entered at ${now.rank}` }]
  if (before.rank !== null && now.rank === null)
    return [{ what: 'left', words: `left, from ${before.rank} to below ${now.capture.depth}` }]
  return []
}

function crossed(places: number, before: RankInCapture, now: RankInCapture): Crossing[] {
  const [was, is] = [within(places, before), within(places, now)]
  if (was === undefined || is === undefined || was === is) return []
  const from = before.rank ?? `below ${before.capture.depth}`
  const to = now.rank ?? `below ${now.capture.depth}`
  return is
    ? [{ what: `entered ${places}`, words: `entered the top ${places}: ${from} to ${to}` }]
    : [{ what: `left ${places}`, words: `left the top ${places}: ${from} to ${to}` }]
}

/** Whether an app is within the first places; undefined where fewer were shown. */
function within(places: number, { rank, capture }: RankInCapture): boolean | undefined {
  if (rank !== null) return rank <= places
  return capture.depth >= places ? false : undefined
}

function moved(by: number, before: RankInCapture, now: RankInCapture): Crossing[] {
  if (before.rank === null || now.rank === null) return []
  const up = before.rank - now.rank
  if (Math.abs(up) < by) return []
  const direction = up > 0 ? 'up' : 'down'
  return [{ what: 'moved', words: `moved ${direction} by ${Math.abs(up)}: ${before.rank} to ${now.rank}` }]
}

const eventOf =
  (ranking: WatchedRanking, storeId: string, name: string, before: RankInCapture, now: RankInCapture) =>
  ({ what, words }: Crossing): FoundEvent => ({
    key: `${ranking.name} ${now.capture.capturedAt.toISOString()} ${storeId} ${what}`,
    title: `${name} ${words} in ${ranking.words}`,
    page: ranking.page(storeId),
    evidence: { storeId, before: shown(before), now: shown(now) },
    observedAt: now.capture.capturedAt,
  })

const shown = ({ rank, capture: { capturedAt, readingId, depth } }: RankInCapture) => ({
  rank,
  depth,
  capturedAt: capturedAt.toISOString(),
  readingId,
})
