import type { ProblemCode } from '../contract/problems.ts'
import { storeIsAway, tookTooLong } from '../storage/store.ts'
import { Problem } from './problem.ts'

/** Runs work that needs the store. Turns an unreachable store, or one that cannot be written, into an expected failure. */
export async function withStore<T>(perform: () => Promise<T>): Promise<T> {
  try {
    return await perform()
  } catch (error) {
    if (storeIsAway(error))
      throw new Problem(
        'unavailable',
        'The store cannot be reached, or cannot write, right now. Try again shortly.',
      )
    if (tookTooLong(error))
      throw new Problem(
        'unavailable',
        'The store took too long over this request, and it was ended; nothing was changed. Ask for less, or try again shortly.',
      )
    throw error
  }
}

/**
 * The problem for a source that could not be asked, or did not answer.
 * @param until when it may be asked again; undefined where that is unknown
 */
export function upstreamProblem(
  code: Extract<ProblemCode, 'upstream-failed' | 'upstream-timeout'>,
  detail: string,
  until: Date | undefined,
): Problem {
  if (!until) return new Problem(code, detail)
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  return new Problem(code, detail, { retryAfterSeconds: seconds })
}
