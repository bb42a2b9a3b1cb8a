import type { Contract } from '../contract/operation.ts'
import { hasReplayedState, type StoreState, storeState } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'
import { type Replica, ReplicaUnfit } from '../storage/replica.ts'
import { ChangeTimes } from './change-times.ts'
import type { Handlers, Reads } from './door.ts'
import { Problem } from './problem.ts'

/** A state with the look that found its last change (`ChangeTimes`). */
export interface SeenState extends StoreState {
  look: number
}

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
  #next: Promise<SeenState> | undefined
  #last: { state: SeenState; until: number } | undefined
  /** When each part of the store changed; of all that was counted at the states that were given out. */
  readonly times = new ChangeTimes()

  /** @param db the primary */
  constructor(db: Database) {
    this.#db = db
  }

  /** A state that is read after this call. */
  current(): Promise<SeenState> {
    this.#next ??= this.#asking.then(() => {
      const asking = this.#ask()
      this.#asking = asking.catch(() => {})
      this.#next = undefined
      return asking
    })
    return this.#next
  }

  async #ask(): Promise<SeenState> {
    const { counters, ...told } = await storeState(this.#db, {
      counters: this.times.counters,
      counted: this.#last?.state.counted ?? '',
    })
    if (counters) this.times.look(counters)
    const now = performance.now()
    const last = this.#last
    if (last && last.state.counted === told.counted && last.until > now) return last.state
    const state = { ...told, look: this.times.now }
    this.#last = { state, until: now + positionServesMs }
    return state
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
  handlersAt: (db: Database, state: SeenState) => Handlers<C>
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
  readonly #handlers = new WeakMap<SeenState, Map<Replica | undefined, Handlers<C>>>()
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

  #handlersOn(replica: Replica | undefined, state: SeenState): Handlers<C> {
    const known = this.#handlers.get(state) ?? new Map<Replica | undefined, Handlers<C>>()
    this.#handlers.set(state, known)
    const { handlersAt, primary } = this.#options
    const handlers =
      known.get(replica) ?? handlersAt(replica?.having(hasReplayedState(state)) ?? primary, state)
    known.set(replica, handlers)
    return handlers
  }
}
