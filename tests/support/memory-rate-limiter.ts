import { setTimeout } from 'node:timers/promises'
import type { RateLimiter } from '../../src/sources/polite/polite-source.ts'
import type { CallOutcome } from '../../src/vocabulary/failure-kinds.ts'

/** An in-memory rate limiter that records its use. */
export interface MemoryRateLimiter extends RateLimiter {
  /** Upstreams in the order of their turns. */
  turns: string[]
  holds: { upstream: string; forMs: number }[]
  /** Outcomes of calls in the order in which they ended. */
  counted: CallOutcome[]
}

export function memoryRateLimiter(): MemoryRateLimiter {
  const next = new Map<string, number>()
  const rateLimiter: MemoryRateLimiter = {
    turns: [],
    holds: [],
    counted: [],
    async turn(upstream, callsPerMinute, signal) {
      signal.throwIfAborted()
      const now = performance.now()
      const at = Math.max(now, next.get(upstream) ?? 0)
      if (callsPerMinute > 0) next.set(upstream, at + 60_000 / callsPerMinute)
      if (at > now) await setTimeout(at - now, undefined, { signal })
      rateLimiter.turns.push(upstream)
    },
    async hold(upstream, forMs) {
      rateLimiter.holds.push({ upstream, forMs })
      next.set(upstream, Math.max(next.get(upstream) ?? 0, performance.now() + forMs))
    },
    async count(_upstream, outcome) {
      rateLimiter.counted.push(outcome)
    },
  }
  return rateLimiter
}
