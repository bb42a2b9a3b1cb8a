import type { Contract } from '../contract/operation.ts'
import { hasReplayedState, type StoreState, storeState } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'
import { type Replica, ReplicaUnfit } from '../storage/replica.ts'
import type { Handlers, Reads } from './door.ts'
import { Problem } from './problem.ts'

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

/** Called for each answered read with the name of its database. */
export type CountRead = (from: string) => void

interface Options<C extends Contract> {
  /** At least one. */
  replicas: readonly Replica[]
  primary: Database
  states: StoreStates
  /** Handlers for requests that have read a state. */
  handlersAt: (db: Database, state: StoreState) => Handlers<C>
  countRead?: CountRead
}

/**
 * Distributes reads over replicas in turn. The primary gives the state at the time of a request, and a replica answers once
 * it has replayed that; so callers see their own writes, through whichever process. Where no replica has the state, or one
 * fails, the primary answers.
 */
export class ReplicaReads<C extends Contract> implements Reads<C> {
  readonly #options: Options<C>
  /** Handlers by database; requests with the same state share them. */
  readonly #handlers = new WeakMap<StoreState, Map<Replica | undefined, Handlers<C>>>()
  #turn = 0

  constructor(options: Options<C>) {
    this.#options = options
  }

  async run<T>(perform: (handlers: Handlers<C>) => Promise<T>): Promise<T> {
    const { replicas, states, countRead } = this.#options
    const state = await states.current()
    const first = this.#turn++
    if (state.position !== null)
      for (let each = 0; each < replicas.length; each++) {
        const replica = replicas[(first + each) % replicas.length]
        if (!replica?.isWorthAsking) continue
        try {
          const reply = await perform(this.#handlersOn(replica, state))
          countRead?.(replica.name)
          return reply
        } catch (error) {
          if (error instanceof Problem) {
            countRead?.(replica.name)
            throw error
          }
          // An unfit replica has done nothing yet, and the next one may be fit.
          if (!(error instanceof ReplicaUnfit)) break
        }
      }
    countRead?.('primary')
    return perform(this.#handlersOn(undefined, state))
  }

  #handlersOn(replica: Replica | undefined, state: StoreState): Handlers<C> {
    const known = this.#handlers.get(state) ?? new Map<Replica | undefined, Handlers<C>>()
    this.#handlers.set(state, known)
    const { handlersAt, primary } = this.#options
    const handlers =
      known.get(replica) ?? handlersAt(replica?.having(hasReplayedState(state)) ?? primary, state)
    known.set(replica, handlers)
    return handlers
  }
}
