import { SourceFailure } from '../../sources/polite/failure.ts'

/** Seconds a caller waits for an upstream, its turn of the pace included. */
const patienceSeconds = 10

/** What came of asking while somebody waits. The message is for people. */
export type AskedNow<Value> =
  | { state: 'answered'; value: Value }
  | { state: 'failed'; message: string }
  | { state: 'timed-out'; message: string }

/**
 * Asks an upstream while a caller waits, and gives up when it takes too long.
 * @throws whatever is no failure of the upstream
 */
export async function askNow<Value>(ask: (signal: AbortSignal) => Promise<Value>): Promise<AskedNow<Value>> {
  const signal = AbortSignal.timeout(patienceSeconds * 1_000)
  try {
    return { state: 'answered', value: await ask(signal) }
  } catch (error) {
    if (signal.aborted && error === signal.reason)
      return { state: 'timed-out', message: `Apple did not answer within ${patienceSeconds} seconds` }
    if (!(error instanceof SourceFailure)) throw error
    const { kind, message } = error
    return { state: kind === 'timeout' ? 'timed-out' : 'failed', message }
  }
}
