import { isFaultOfAnswer, type SourceFailure } from '../../sources/polite/failure.ts'
import { isFailedAnswer, SuspectAnswer } from './outcome.ts'

/** Consecutive failures of the source after which the remaining calls are skipped. */
const mostInARow = 3

export type Ask = (signal: AbortSignal) => Promise<void>

/** The outcome of a sequence of calls. */
export interface Asked {
  /** Failures of calls, in their order. */
  failures: (SourceFailure | SuspectAnswer)[]
  /** Whether the source failed so often in a row that the remaining calls were skipped. */
  gaveUp: boolean
}

/**
 * Makes calls one after another. An unusable answer does not block the others; a call that failed at the source is retried
 * once at the end; after a few consecutive failures the source is not asked again.
 */
export async function askInTurn(asks: readonly Ask[], signal: AbortSignal): Promise<Asked> {
  const failures: Asked['failures'] = []
  let inARow = 0
  const waiting = asks.map((ask) => ({ ask, again: false }))
  // Retried calls are appended while the sequence is processed.
  for (const { ask, again } of waiting) {
    try {
      await ask(signal)
      inARow = 0
    } catch (error) {
      if (signal.aborted || !isFailedAnswer(error)) throw error
      const ofAnswer = error instanceof SuspectAnswer || isFaultOfAnswer(error)
      inARow = ofAnswer ? 0 : inARow + 1
      const gaveUp = inARow === mostInARow || error.kind === 'circuit-open'
      if (ofAnswer || again || gaveUp) failures.push(error)
      else waiting.push({ ask, again: true })
      if (gaveUp) return { failures, gaveUp }
    }
  }
  return { failures, gaveUp: false }
}

/** Runs two sequences of calls concurrently; when one throws, the other is aborted. */
export async function askSideBySide(
  rows: readonly ((signal: AbortSignal) => Promise<Asked>)[],
  signal: AbortSignal,
): Promise<Asked[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const ended = await Promise.allSettled(
    rows.map((row) =>
      row(either).catch((error: unknown) => {
        stop.abort(error)
        throw error
      }),
    ),
  )
  signal.throwIfAborted()
  stop.signal.throwIfAborted()
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
