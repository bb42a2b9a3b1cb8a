import { storeIsAway } from '../storage/store.ts'

/** Called when the store goes away and when it comes back. */
export interface OutageListener {
  away(error: unknown): void
  back(afterSeconds: number): void
}

/** An answer counts as the end of an outage when nothing failed for this long: a store that restarts refuses some. */
const calmMs = 2_000

/**
 * Reports once that the store is away, and once that it is back. Every queue looks for jobs each second and every job at
 * work sends heartbeats, so each outage would otherwise be reported dozens of times a second.
 */
export class Outage {
  readonly #listener: OutageListener
  #since: number | undefined
  #lastFailure = 0

  constructor(listener: OutageListener) {
    this.#listener = listener
  }

  /** Whether the store was away when it was last asked. */
  get lasts(): boolean {
    return this.#since !== undefined
  }

  /** @returns whether this is the store being away, of which no more need be said */
  failed(error: unknown): boolean {
    if (!storeIsAway(error)) return false
    this.#lastFailure = performance.now()
    if (this.#since === undefined) {
      this.#since = this.#lastFailure
      this.#listener.away(error)
    }
    return true
  }

  answered(): void {
    const now = performance.now()
    if (this.#since === undefined || now - this.#lastFailure < calmMs) return
    this.#listener.back((now - this.#since) / 1_000)
    this.#since = undefined
  }

  /** Passes on what a question answers or fails with. */
  async observe<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question
      this.answered()
      return answer
    } catch (error) {
      this.failed(error)
      throw error
    }
  }
}
