import type { Contract } from '../contract/operation.ts'
import { reachedBy, type StoreState } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'
import { type Replica, ReplicaUnfit } from '../storage/replica.ts'
import type { Handlers, Reads } from './door.ts'
import { Problem } from './problem.ts'
import type { StoreStates } from './store-states.ts'

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
    const handlers = known.get(replica) ?? handlersAt(replica?.having(reachedBy(state)) ?? primary, state)
    known.set(replica, handlers)
    return handlers
  }
}
