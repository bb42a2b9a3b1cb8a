import { heldForMs } from '../../domain/collecting/pace.ts'
import type { Database } from '../../storage/database.ts'
import { askNow, patienceMs } from './ask-now.ts'
import type { Collecting } from './collecting.ts'

/** What came of a search that somebody waits for. */
export type LiveSearch =
  | { came: 'answered' | 'suspect-empty' }
  /** The message is for people, the beginning of a sentence. */
  | { came: 'failed' | 'throttled' | 'timed-out'; message: string }

/**
 * Searches for a term and stores the page, unless that takes longer than a caller waits. While Apple wants to be left
 * alone for longer than that, it is not asked at all.
 */
export async function searchLive(
  db: Database,
  { collector, sources }: Pick<Collecting, 'collector' | 'sources'>,
  term: string,
  country: string,
  waitMs = patienceMs,
): Promise<LiveSearch> {
  const held = await heldForMs(db, sources.itunes.pace)
  if (held > waitMs)
    return {
      came: 'throttled',
      message: `Apple refuses searches for now, for about ${Math.ceil(held / 1000)} more seconds`,
    }
  const asked = await askNow((signal) => collector.search(term, country, signal), waitMs)
  if (asked.state === 'answered') return { came: asked.value === 'suspect-empty' ? asked.value : 'answered' }
  return { came: asked.state, message: asked.message }
}
