import type { Door, Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'

/**
 * The account that provided evidence itself, and the interface it used; undefined for evidence of sources and of the
 * operator's imports.
 */
export interface ProvidedBy {
  accountId: string
  door: Door
}

/** The provenance of a payload, which every value derived from it refers to. */
export interface Reading {
  readingId: string
  /**
   * Derived from the content, context, time and account of the reading, not from its arrival; breaks ties between readings
   * of one instant. Equal evidence imported twice has the same key.
   */
  key: string
  /** Selects the parser of the payload. */
  format: string
  source: SourceName
  origin: Origin
  country: string | null
  observedAt: Date
  timeBasis: TimeBasis
  /** Input of the parser besides the bytes, such as a mapping; makes a replay possible. */
  context: Record<string, unknown>
  broughtBy?: ProvidedBy | null
}

/**
 * The reading as it applies to one of its records: at the record's own time, if it states one. Where that equals the
 * reading's time, the time basis stays that of the reading.
 */
export function readingAtRecordTime(reading: Reading, at: Date | undefined): Reading {
  return at && at.getTime() !== reading.observedAt.getTime()
    ? { ...reading, observedAt: at, timeBasis: 'payload' }
    : reading
}

/** The fields of a reading that evidence shows. */
export type NamedReading = Pick<Reading, 'readingId' | 'source' | 'origin' | 'timeBasis' | 'broughtBy'>

/** A reading with the time at which it applies. */
export interface ObservedReading extends NamedReading {
  observedAt: Date
}

/** A named reading with its key, which orders readings of one instant. */
export type KeyedReading = NamedReading & Pick<Reading, 'key'>

/**
 * Decides which of two readings is named when they agree at one instant: positive for the first, negative for the second. It
 * is the one with the greater key, and of equal evidence imported twice the one stored later.
 */
export function compareReadings(
  one: Pick<Reading, 'key' | 'readingId'>,
  other: Pick<Reading, 'key' | 'readingId'>,
): number {
  const [mine, theirs] = [`${one.key} ${one.readingId}`, `${other.key} ${other.readingId}`]
  return mine === theirs ? 0 : mine > theirs ? 1 : -1
}

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
  for (const entry of observed)
    if (!distinct.has(evidenceEntryKey(entry))) distinct.set(evidenceEntryKey(entry), entry)
  return [...distinct.values()].sort(newestFirst).slice(0, most)
}

/** The identity of an entry: a reading with one of its times. Values derived from it form an entry of their own. */
export const evidenceEntryKey = ({ readingId, source = '', observedAt }: Observed): string =>
  `${readingId} ${source} ${observedAt}`

/** The position of a reading in a list of evidence: preferably at that time, otherwise at another; -1 when it is missing. */
export function evidenceIndexOf(
  evidence: readonly Observed[],
  { readingId, source }: { readingId: string | null; source: string | null },
  observedAt: Date | string,
): number {
  const at = typeof observedAt === 'string' ? observedAt : observedAt.toISOString()
  const isOwn = (entry: Observed) => entry.readingId === readingId && entry.source === source
  const exact = evidence.findIndex((entry) => isOwn(entry) && entry.observedAt === at)
  return exact === -1 ? evidence.findIndex(isOwn) : exact
}
