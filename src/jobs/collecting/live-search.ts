import type { Database } from '../../storage/database.ts'
import { askNow, patienceMs } from './ask-now.ts'
import type { Collecting } from './collecting.ts'
import { isSuspectOutcome, type SuspectOutcome } from './outcome.ts'

/** Outcome of a search while the caller waits. */
export type LiveSearch =
  | { came: 'answered' | SuspectOutcome }
  /** The message is for people, and begins a sentence. */
  | { came: 'failed' | 'throttled' | 'timed-out'; message: string; until?: Date }

/** Searches for a term and stores the page, unless that takes longer than a caller waits. During a hold no request is sent. */
export async function searchLive(
  db: Database,
  { collector, sources }: Pick<Collecting, 'collector' | 'sources'>,
  term: string,
  country: string,
  waitMs = patienceMs,
): Promise<LiveSearch> {
  const { pace } = sources.itunes
  const asked = await askNow(db, pace, (signal) => collector.search(term, country, signal), waitMs)
  if (asked.state === 'answered') return { came: isSuspectOutcome(asked.value) ? asked.value : 'answered' }
  const { state: came, message: reported, until } = asked
  if (came !== 'held') return { came, message: reported, ...(until ? { until } : {}) }
  const seconds = Math.ceil((asked.until.getTime() - Date.now()) / 1_000)
  const message = `Apple refuses searches for now, for about ${seconds} more seconds`
  return { came: 'throttled', message, until }
}
