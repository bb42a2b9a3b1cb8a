import { type StoreState, storeState } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'

/** Milliseconds for which the log position of a state is used. */
const positionServesMs = 1_000

/**
 * Reads the state of the store from the primary after each request came. Requests that come during a query share the next
 * one. Returns the same object while nothing was counted: its log position is that of the first query, which a replica soon
 * reaches, while the log of a store in use grows all the time. Uncounted changes, such as the progress of work, reach
 * replies of replicas within a second: then the position is read again.
 */
export class StoreStates {
  readonly #db: Database
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<StoreState> | undefined
  #last: { state: StoreState; until: number } | undefined

  /** @param db the primary */
  constructor(db: Database) {
    this.#db = db
  }

  /** A state that is read after this call. */
  current(): Promise<StoreState> {
    this.#next ??= this.#asking.then(() => {
      const asking = this.#ask()
      this.#asking = asking.catch(() => {})
      this.#next = undefined
      return asking
    })
    return this.#next
  }

  async #ask(): Promise<StoreState> {
    const told = await storeState(this.#db)
    const now = performance.now()
    const last = this.#last
    if (last && last.state.counted === told.counted && last.until > now) return last.state
    this.#last = { state: told, until: now + positionServesMs }
    return told
  }
}
