import { LRUCache } from 'lru-cache'
import type { Tool } from '../contract/contract.ts'
import type { StoreState } from '../domain/evidence/changes.ts'
import type { Caller } from './caller.ts'
import { keepReplyJson } from './reply-json.ts'
import type { StoreStates } from './store-states.ts'

/** Most characters of JSON that a process remembers. */
const mostLength = 32_000_000

interface Remembered {
  version: string
  reply: Promise<object>
}

/** Remembered replies for handlers. */
export interface Replies {
  /**
   * @param name of the reply: its operation, its arguments and its audience
   * @param make may throw, which is not remembered; its reply must not be changed
   */
  get<Reply extends object>(name: string, make: () => Promise<Reply>): Promise<Reply>
}

/**
 * Makes a handler whose replies are remembered. `make` sees only the part of the request that `dependsOn` names, and the
 * reply is remembered under exactly that: a reply that depends on the account without saying so cannot be written.
 * @param operation its tool name
 * @param dependsOn everything that the reply depends on beside the store; must be JSON
 */
export function withRememberedReplies<Input, Named extends object, Reply extends object>(
  replies: Replies,
  operation: Tool,
  dependsOn: (input: Input, caller: Caller) => Named,
  make: (named: Named) => Promise<Reply>,
): (input: Input, caller: Caller) => Promise<Reply> {
  return async (input, caller) => {
    const named = dependsOn(input, caller)
    return replies.get(`${operation} ${JSON.stringify(named)}`, () => make(named))
  }
}

/**
 * Remembers frequent replies until any process stores something that they may depend on. The version of the store is queried
 * after each request came, so nobody gets a reply older than their request.
 */
export class RememberedReplies implements Replies {
  readonly #states: StoreStates
  readonly #replies = new LRUCache<string, Remembered>({ maxSize: mostLength })

  constructor(states: StoreStates) {
    this.#states = states
  }

  /** The same replies for requests that have read the state of the store already. Replies are never older than that state. */
  at(state: StoreState): Replies {
    return { get: (name, make) => this.#get(name, make, state) }
  }

  async get<Reply extends object>(name: string, make: () => Promise<Reply>): Promise<Reply> {
    return this.#get(name, make, await this.#states.current())
  }

  async #get<Reply extends object>(
    name: string,
    make: () => Promise<Reply>,
    { version }: StoreState,
  ): Promise<Reply> {
    const known = this.#replies.get(name)
    // A failure was another request's: it may lie in the database that one used, and a refusal concerns that caller only.
    if (known?.version === version) return (known.reply as Promise<Reply>).catch(make)
    const reply = make()
    const one: Remembered = { version, reply }
    this.#replies.set(name, one, { size: 1 })
    try {
      const size = Math.max(1, keepReplyJson(await reply).length)
      // The size of an entry is read only where its value is another.
      if (this.#replies.peek(name) === one) this.#replies.set(name, { version, reply }, { size })
      return await reply
    } catch (error) {
      if (this.#replies.peek(name) === one) this.#replies.delete(name)
      throw error
    }
  }
}
