import { heldForMs } from '../../domain/collecting/pace.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { Collecting } from './collecting.ts'

/** What came of a search that somebody waits for. */
export type LiveSearch =
  | { came: 'answered' | 'suspect-empty' }
  /** The message is for people, the beginning of a sentence. */
  | { came: 'failed' | 'timeout' | 'throttled'; message: string }

/**
 * Searches for a term and stores the page, unless that takes longer than the deadline. While Apple wants to be left
 * alone for longer than that, it is not asked at all.
 */
export async function searchLive(
  db: Database,
  { collector, sources }: Pick<Collecting, 'collector' | 'sources'>,
  term: string,
  country: string,
  deadlineMs: number,
): Promise<LiveSearch> {
  const held = await heldForMs(db, sources.itunes.pace)
  if (held > deadlineMs)
    return {
      came: 'throttled',
      message: `Apple refuses searches for now, for about ${Math.ceil(held / 1000)} more seconds`,
    }
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const outcome = await collector.search(term, country, signal)
    return { came: outcome === 'suspect-empty' ? outcome : 'answered' }
  } catch (error) {
    if (error instanceof SourceFailure)
      return { came: cameOf(error), message: `Apple failed: ${error.message}` }
    if (!signal.aborted) throw error
    return { came: 'timeout', message: `Apple did not answer within ${deadlineMs / 1000} seconds` }
  }
}

function cameOf({ kind }: SourceFailure): 'failed' | 'timeout' | 'throttled' {
  return kind === 'throttled' || kind === 'timeout' ? kind : 'failed'
}
