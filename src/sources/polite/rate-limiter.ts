/** Limits how often an upstream is asked, over all processes together. */
export interface RateLimiter {
  /**
   * Ends when it is the caller's turn. With 0 calls a minute nothing is spaced, but holds are still waited for.
   * @throws the signal's reason when it aborts first
   */
  turn(upstream: string, callsPerMinute: number, signal: AbortSignal): Promise<void>
  /** Nobody gets a turn for this long from now. A hold never shortens one that stands. */
  hold(upstream: string, forMs: number): Promise<void>
}
