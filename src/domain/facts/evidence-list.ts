import { compareReadings } from '../evidence/reading.ts'

/** A reading used as evidence, at the time at which it applies. */
export interface Observed {
  readingId: string
  /** `Reading.key`. */
  key?: string
  source?: string
  /** RFC 3339. */
  observedAt: string
}

/** The order of evidence: newest first, and within one instant by `compareReadings`. */
export function newestFirst(one: Observed, other: Observed): number {
  if (one.observedAt !== other.observedAt) return one.observedAt < other.observedAt ? 1 : -1
  return compareReadings(named(other), named(one))
}

const named = ({ key = '', readingId }: Observed) => ({ key, readingId })

/**
 * The evidence of a reply or a stored result: each reading at each of its times once, newest first, independent of the
 * order of collection. Of duplicates the first is kept.
 * @param most only the newest so many
 */
export function evidenceList<Entry extends Observed>(
  observed: readonly Entry[],
  most = Number.POSITIVE_INFINITY,
): Entry[] {
  const distinct = new Map<string, Entry>()
  for (const entry of observed) if (!distinct.has(momentOf(entry))) distinct.set(momentOf(entry), entry)
  return [...distinct.values()].sort(newestFirst).slice(0, most)
}

/** The identity of an entry: a reading with one of its times. Values derived from it form an entry of their own. */
export const momentOf = ({ readingId, source = '', observedAt }: Observed): string =>
  `${readingId} ${source} ${observedAt}`

/** The position of a reading in a list of evidence: preferably at that time, otherwise at another; -1 when it is missing. */
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
