/** Limits how often an upstream is asked, over all processes together. */
export interface RateLimiter {
  /**
   * Resolves when it is the caller's turn. With 0 calls a minute there is no spacing, but holds still apply.
   * @throws the signal's reason when it aborts first
   */
  turn(upstream: string, callsPerMinute: number, signal: AbortSignal): Promise<void>
  /** Blocks all turns for this long from now. A hold never shortens an existing one. */
  hold(upstream: string, forMs: number): Promise<void>
}
