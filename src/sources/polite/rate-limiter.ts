import type { CallOutcome } from '../../vocabulary/failure-kinds.ts'

/** Limits how often an upstream is asked, over all processes together, and counts how calls end. */
export interface RateLimiter {
  /**
   * Resolves when it is the caller's turn. With 0 calls a minute there is no spacing, but holds still apply.
   * @throws the signal's reason when it aborts first
   */
  turn(upstream: string, callsPerMinute: number, signal: AbortSignal): Promise<void>
  /** Blocks all turns for this long from now. A hold never shortens an existing one. */
  hold(upstream: string, forMs: number): Promise<void>
  /** Counts a call that has ended. */
  count(upstream: string, outcome: CallOutcome): Promise<void>
}
