import type { Door, Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'

/** The account that brought evidence itself, and its way in; nobody did where sources were asked or the operator imported. */
export interface BroughtBy {
  accountId: string
  door: Door
}

/** How a payload was come by: where every value derived from it points to. */
export interface Reading {
  readingId: string
  /**
   * Made of what the reading is (content, context, time, who brought it), not of when it arrived: decides where two are of
   * one instant. What an account brings twice has the same one.
   */
  key: string
  /** Which reader understands the payload. */
  format: string
  source: SourceName
  origin: Origin
  country: string | null
  observedAt: Date
  timeBasis: TimeBasis
  /** What the reader must know beyond the bytes, such as a mapping; makes a replay possible. */
  context: Record<string, unknown>
  broughtBy?: BroughtBy | null
}

/**
 * The reading as it counts for one of its records: at the time the record itself tells, if it does. A time that is the
 * reading's own was come by as that was.
 */
export function observedThen(reading: Reading, at: Date | undefined): Reading {
  return at && at.getTime() !== reading.observedAt.getTime()
    ? { ...reading, observedAt: at, timeBasis: 'payload' }
    : reading
}

/** A reading as evidence names it. */
export type NamedReading = Pick<Reading, 'readingId' | 'source' | 'origin' | 'timeBasis' | 'broughtBy'>

/** A reading with the time it counts for. */
export interface ObservedReading extends NamedReading {
  observedAt: Date
}

/** A reading as evidence names it, to be told from others of the same instant. */
export type KeyedReading = NamedReading & Pick<Reading, 'key'>

/**
 * Which of two readings is named where they say the same of one instant: above zero for the first, below for the second. It
 * is the one with the greater key, and of the same brought twice the one stored later.
 */
export function compareReadings(
  one: Pick<Reading, 'key' | 'readingId'>,
  other: Pick<Reading, 'key' | 'readingId'>,
): number {
  const [mine, theirs] = [`${one.key} ${one.readingId}`, `${other.key} ${other.readingId}`]
  return mine === theirs ? 0 : mine > theirs ? 1 : -1
}
