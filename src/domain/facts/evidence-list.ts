import { compareReadings } from '../evidence/reading.ts'

/** A reading that something rests on, at the time it counts for. */
export interface Observed {
  readingId: string
  /** `Reading.key`. */
  key?: string
  source?: string
  /** RFC 3339. */
  observedAt: string
}

/** The order of evidence: newest first, and of one instant the reading first that is named where two say the same. */
export function newestFirst(one: Observed, other: Observed): number {
  if (one.observedAt !== other.observedAt) return one.observedAt < other.observedAt ? 1 : -1
  return compareReadings(named(other), named(one))
}

const named = ({ key = '', readingId }: Observed) => ({ key, readingId })

/**
 * What a reply or a stored result rests on: each reading at each of its times once, newest first, whatever the order in
 * which it was collected. Of two that are the same the first is kept.
 * @param most the newest so many
 */
export function evidenceList<Entry extends Observed>(
  observed: readonly Entry[],
  most = Number.POSITIVE_INFINITY,
): Entry[] {
  const distinct = new Map<string, Entry>()
  for (const entry of observed) if (!distinct.has(momentOf(entry))) distinct.set(momentOf(entry), entry)
  return [...distinct.values()].sort(newestFirst).slice(0, most)
}

/** What is told of one entry and of no other: a reading with one of its times. What is derived of it is another entry. */
export const momentOf = ({ readingId, source = '', observedAt }: Observed): string =>
  `${readingId} ${source} ${observedAt}`

/** Where a reading stands in a list of evidence: as it was at that time, or else at another; -1 where it is not there. */
export function placeOf(
  evidence: readonly Observed[],
  { readingId, source }: { readingId: string | null; source: string | null },
  observedAt: Date | string,
): number {
  const at = typeof observedAt === 'string' ? observedAt : observedAt.toISOString()
  const isOwn = (entry: Observed) => entry.readingId === readingId && entry.source === source
  const exact = evidence.findIndex((entry) => isOwn(entry) && entry.observedAt === at)
  return exact === -1 ? evidence.findIndex(isOwn) : exact
}
