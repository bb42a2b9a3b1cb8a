import { setTimeout } from 'node:timers/promises'
import type { Pace } from '../../src/sources/polite/pace.ts'

/** A pace for one process, which remembers what was asked of it. */
export interface MemoryPace extends Pace {
  /** Upstreams in the order in which turns were given. */
  turns: string[]
  holds: { upstream: string; forMs: number }[]
}

export function memoryPace(): MemoryPace {
  const next = new Map<string, number>()
  const pace: MemoryPace = {
    turns: [],
    holds: [],
    async turn(upstream, callsPerMinute, signal) {
      signal.throwIfAborted()
      const now = performance.now()
      const at = Math.max(now, next.get(upstream) ?? 0)
      if (callsPerMinute > 0) next.set(upstream, at + 60_000 / callsPerMinute)
      if (at > now) await setTimeout(at - now, undefined, { signal })
      pace.turns.push(upstream)
    },
    async hold(upstream, forMs) {
      pace.holds.push({ upstream, forMs })
      next.set(upstream, Math.max(next.get(upstream) ?? 0, performance.now() + forMs))
    },
  }
  return pace
}
