import { type StoreState, storeState } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'

/** Milliseconds for which a position serves that was told with a state. */
const positionServesMs = 1_000

/**
 * What is stored, asked of the primary after each request came. Requests that come while it is being asked share the next answer.
 * The same object again as long as nothing was counted: its position is that of the first answer, which a replica reaches, while the
 * log of a store in use is written all the time. What is not counted, such as how far work has come, is in a replica a second later
 * at most: then the position is taken anew.
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

  /** The state after this call, or a later one. */
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
