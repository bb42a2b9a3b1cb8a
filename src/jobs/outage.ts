import { storeIsAway } from '../storage/store.ts'

/** Called when the store becomes unreachable and when it is back. */
export interface OutageListener {
  away(error: unknown): void
  back(afterSeconds: number): void
}

/** An outage has ended when nothing has failed for this long: a restarting store refuses some requests. */
const calmMs = 2_000

/**
 * Reports once that the store is unreachable, and once that it is back. Every queue polls each second and every running job
 * sends heartbeats, so each outage would otherwise be reported dozens of times a second.
 */
export class Outage {
  readonly #listener: OutageListener
  #since: number | undefined
  #lastFailure = 0

  constructor(listener: OutageListener) {
    this.#listener = listener
  }

  /** Whether the last request to the store failed to reach it. */
  get lasts(): boolean {
    return this.#since !== undefined
  }

  /** Records the failure of a request. @returns whether the error is an outage, which needs no further report */
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

  /** Passes on the result or error of a request. */
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
