import { heldUntil, nextTurn } from '../../domain/collecting/rate-limiter.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { CollectingClients } from './collecting.ts'
import { isSuspectOutcome, type SuspectOutcome } from './outcome.ts'

/** How long a caller waits for an upstream, including the wait for the rate limiter. */
export const callerPatienceMs = 10_000

/** A hold that ends within this time is waited out; a longer one is reported to the caller at once. */
const briefMs = 1_000

/** Outcome of a request while a caller waits. The message is for people, and begins a sentence. */
export type AskedNow<Value> =
  | { state: 'answered'; value: Value }
  /** No request was sent, or it was throttled: the upstream is on hold. */
  | { state: 'held'; message: string; until: Date }
  /** `until`: when the upstream may be asked again, where that is known. */
  | { state: 'failed' | 'throttled' | 'timed-out'; message: string; until?: Date }

/** The end of the hold of an upstream, if it lasts longer than a caller should wait. */
export async function activeHold(db: Database, pace: string): Promise<Date | undefined> {
  const until = await heldUntil(db, pace)
  return until && until.getTime() - Date.now() > briefMs ? until : undefined
}

/** The next turn at an upstream, if it is later than a caller waits; reserving it would only move it further away. */
export async function distantTurn(db: Database, pace: string, waitMs: number): Promise<Date | undefined> {
  const turn = await nextTurn(db, pace)
  return turn && turn.getTime() - Date.now() > waitMs ? turn : undefined
}

/** When a failed source may be asked again, according to its answer or to the hold. */
export async function askableAt(db: Database, pace: string, failure: unknown): Promise<Date | undefined> {
  const held = await heldUntil(db, pace)
  if (held || !(failure instanceof SourceFailure) || failure.retryAfterMs === undefined) return held
  return new Date(Date.now() + failure.retryAfterMs)
}

/**
 * Asks Apple while a caller waits, and gives up when it takes too long. During a hold no request is sent.
 * @param pace of the upstream that is asked
 * @throws any error that is not a failure of the upstream
 */
export async function askNow<Value>(
  db: Database,
  pace: string,
  ask: (signal: AbortSignal) => Promise<Value>,
  waitMs = callerPatienceMs,
): Promise<AskedNow<Value>> {
  const held = await activeHold(db, pace)
  if (held) return leftAlone(held)
  const signal = AbortSignal.timeout(waitMs)
  try {
    return { state: 'answered', value: await ask(signal) }
  } catch (error) {
    if (!(error instanceof SourceFailure) && error !== signal.reason) throw error
    const until = await askableAt(db, pace, error)
    if (error instanceof SourceFailure)
      return { state: stateOf(error), message: `Apple failed: ${error.message}`, ...(until ? { until } : {}) }
    if (until) return leftAlone(until)
    return { state: 'timed-out', message: `Apple did not answer within ${waitMs / 1000} seconds` }
  }
}

const leftAlone = (until: Date) => ({
  state: 'held' as const,
  message: `Apple wants to be left alone until ${until.toISOString()}`,
  until,
})

function stateOf({ kind }: SourceFailure): 'failed' | 'throttled' | 'timed-out' {
  if (kind === 'timeout') return 'timed-out'
  return kind === 'throttled' ? kind : 'failed'
}

/** Outcome of a search while the caller waits. */
export type LiveSearch =
  | { came: 'answered' | SuspectOutcome }
  /** The message is for people, and begins a sentence. */
  | { came: 'failed' | 'throttled' | 'timed-out'; message: string; until?: Date }

/** Searches for a term and stores the page, unless that takes longer than a caller waits. During a hold no request is sent. */
export async function searchLive(
  db: Database,
  { collector, sources }: Pick<CollectingClients, 'collector' | 'sources'>,
  term: string,
  country: string,
  waitMs = callerPatienceMs,
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
