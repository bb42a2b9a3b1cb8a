import { LRUCache } from 'lru-cache'
import type { Tool } from '../contract/contract.ts'
import type { Caller } from './caller.ts'
import type { Rests } from './change-times.ts'
import { keepReplyJson } from './reply-json.ts'
import { type RememberedReply, restsOf } from './rests-of-replies.ts'
import type { SeenState, StoreStates } from './store-states.ts'

/** Most bytes of memory that remembered replies take in a process. */
const mostBytes = 64_000_000

/** What a reply takes for each character of its JSON: the text, the values, and the bytes that are sent. */
const [bytesOfNarrow, bytesOfWide] = [4, 7]
const isWide = /[^\0-\xff]/
const bytesOf = (text: string) => Math.max(1, text.length * (isWide.test(text) ? bytesOfWide : bytesOfNarrow))

interface Remembered {
  /** The look at the store that was the last one before the reply was made. */
  look: number
  /** On everything while it is being made. */
  rests: Rests
  reply: Promise<object>
}

/** Says that a reply rests on all storefronts, as turned out while it was made. */
export type RestsEverywhere = () => void

/** Remembered replies for handlers. */
export interface Replies {
  /**
   * @param name of the reply: its operation, its arguments and its audience
   * @param rests on what it depends
   * @param make may throw, which is not remembered; its reply must not be changed
   */
  get<Reply extends object>(
    name: string,
    rests: Rests,
    make: (everywhere: RestsEverywhere) => Promise<Reply>,
  ): Promise<Reply>
}

/**
 * Makes a handler whose replies are remembered. `make` sees only the part of the request that `dependsOn` names, and the
 * reply is remembered under exactly that: a reply that depends on the account without saying so cannot be written.
 * @param operation its tool name
 * @param dependsOn everything that the reply depends on beside the store; must be JSON
 */
export function withRememberedReplies<
  Input extends object,
  Named extends { input: Input },
  Reply extends object,
>(
  replies: Replies,
  operation: Tool & RememberedReply,
  dependsOn: (input: Input, caller: Caller) => Named,
  make: (named: Named, everywhere: RestsEverywhere) => Promise<Reply>,
): (input: Input, caller: Caller) => Promise<Reply> {
  return async (input, caller) => {
    const named = dependsOn(input, caller)
    return replies.get(`${operation} ${JSON.stringify(named)}`, restsOf(operation, input), (everywhere) =>
      make(named, everywhere),
    )
  }
}

/**
 * Remembers frequent replies until any process stores something that they may depend on. What changed is looked up after each
 * request came, so nobody gets a reply older than their request.
 */
export class RememberedReplies implements Replies {
  readonly #states: StoreStates
  readonly #replies = new LRUCache<string, Remembered>({ maxSize: mostBytes })

  constructor(states: StoreStates) {
    this.#states = states
  }

  /** The same replies for requests that have read the state of the store already. Replies are never older than that state. */
  at(state: SeenState): Replies {
    return { get: (name, rests, make) => this.#get(name, rests, make, state) }
  }

  async get<Reply extends object>(
    name: string,
    rests: Rests,
    make: (everywhere: RestsEverywhere) => Promise<Reply>,
  ): Promise<Reply> {
    return this.#get(name, rests, make, await this.#states.current())
  }

  async #get<Reply extends object>(
    name: string,
    rests: Rests,
    make: (everywhere: RestsEverywhere) => Promise<Reply>,
    { look }: SeenState,
  ): Promise<Reply> {
    const whole: Rests = { areas: rests.areas }
    let isEverywhere = false
    const makeNoting = () =>
      make(() => {
        isEverywhere = true
      })
    const known = this.#replies.get(name)
    // A failure was another request's: it may lie in the database that one used, and a refusal concerns that caller only.
    if (known && this.#states.times.lastOf(known.rests) <= known.look)
      return (known.reply as Promise<Reply>).catch(makeNoting)
    const reply = makeNoting()
    const one: Remembered = { look, rests: whole, reply }
    this.#replies.set(name, one, { size: 1 })
    try {
      const size = bytesOf(keepReplyJson(await reply))
      // The size of an entry is read only where its value is another.
      if (this.#replies.peek(name) === one)
        this.#replies.set(name, { look, rests: isEverywhere ? whole : rests, reply }, { size })
      return await reply
    } catch (error) {
      if (this.#replies.peek(name) === one) this.#replies.delete(name)
      throw error
    }
  }
}
