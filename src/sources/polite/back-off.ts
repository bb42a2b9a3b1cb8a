import { DelegateBackoff, decorrelatedJitterGenerator } from 'cockatiel'
import { SourceFailure } from './failure.ts'

const longestMs = 15_000
/** Longest hold that is waited out; after a longer one a later job retries. */
const shortWaitMs = 5_000

const passing = new Set<SourceFailure['kind']>(['unreachable', 'timeout', 'cut-off', 'unavailable'])

/** Whether the failure is transient. Throttling is not: an immediate retry makes it worse. */
export const isWorthAnotherAttempt = (error: unknown) =>
  error instanceof SourceFailure && passing.has(error.kind) && (error.retryAfterMs ?? 0) <= shortWaitMs

type State = ReturnType<typeof decorrelatedJitterGenerator>[1]

/** Exponential back-off with decorrelated jitter, never shorter than `Retry-After`. */
export function backOff(initialDelay: number) {
  const options = { initialDelay, maxDelay: longestMs, exponent: 2, generator: decorrelatedJitterGenerator }
  return new DelegateBackoff<{ result: unknown }, State>(({ result }, state) => {
    const [delay, next] = decorrelatedJitterGenerator(state, options)
    const asked = isFailed(result) && result.error instanceof SourceFailure ? result.error.retryAfterMs : 0
    return { delay: Math.max(delay, asked ?? 0), state: next }
  })
}

const isFailed = (result: unknown): result is { error: unknown } =>
  typeof result === 'object' && result !== null && 'error' in result
