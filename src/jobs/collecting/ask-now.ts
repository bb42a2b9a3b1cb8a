import { SourceFailure } from '../../sources/polite/failure.ts'

/** How long a caller waits for an upstream, its turn of the pace included. */
export const patienceMs = 10_000

/** What came of asking while somebody waits. The message is for people, the beginning of a sentence. */
export type AskedNow<Value> =
  | { state: 'answered'; value: Value }
  | { state: 'failed' | 'throttled' | 'timed-out'; message: string }

/**
 * Asks an upstream while a caller waits, and gives up when it takes too long.
 * @throws whatever is no failure of the upstream
 */
export async function askNow<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  waitMs = patienceMs,
): Promise<AskedNow<Value>> {
  const signal = AbortSignal.timeout(waitMs)
  try {
    return { state: 'answered', value: await ask(signal) }
  } catch (error) {
    if (error instanceof SourceFailure)
      return { state: stateOf(error), message: `Apple failed: ${error.message}` }
    if (error !== signal.reason) throw error
    return { state: 'timed-out', message: `Apple did not answer within ${waitMs / 1000} seconds` }
  }
}

function stateOf({ kind }: SourceFailure): 'failed' | 'throttled' | 'timed-out' {
  if (kind === 'timeout') return 'timed-out'
  return kind === 'throttled' ? kind : 'failed'
}
