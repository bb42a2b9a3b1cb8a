import { storeIsAway } from '../storage/store.ts'

/** What is told of the store going away and coming back. */
export interface OutageTold {
  away(error: unknown): void
  back(afterSeconds: number): void
}

/** An answer counts as the end of an outage when nothing failed for this long: a store that restarts refuses some. */
const calmMs = 2_000

/**
 * Tells once that the store is away, and once that it is back. Every queue looks for jobs each second and every job at
 * work gives signs of life, so each outage would otherwise be told dozens of times a second.
 */
export class Outage {
  readonly #told: OutageTold
  #since: number | undefined
  #lastFailure = 0

  constructor(told: OutageTold) {
    this.#told = told
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
      this.#told.away(error)
    }
    return true
  }

  answered(): void {
    const now = performance.now()
    if (this.#since === undefined || now - this.#lastFailure < calmMs) return
    this.#told.back((now - this.#since) / 1_000)
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
