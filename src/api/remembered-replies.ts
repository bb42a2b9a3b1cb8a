import type { Tool } from '../contract/contract.ts'
import type { StoreState } from '../domain/evidence/changes.ts'
import type { Caller } from './caller.ts'
import { keepJson } from './reply-json.ts'
import type { StoreStates } from './store-states.ts'

/** Characters of JSON that a process remembers at most. */
const mostLength = 32_000_000

interface Remembered {
  version: string
  reply: Promise<object>
  length: number
}

/** Replies as handlers ask for them. */
export interface Replies {
  /**
   * @param name of the reply: its operation, its arguments and whom it is for
   * @param make what it throws is thrown, and remembered by nobody; what it returns must not be changed
   */
  get<Reply extends object>(name: string, make: () => Promise<Reply>): Promise<Reply>
}

/**
 * A handler whose replies are remembered. `make` sees nothing of the request but what `dependsOn` names, and the reply is
 * remembered under exactly that: one that depends on the account and does not say so cannot be written.
 * @param operation its tool name
 * @param dependsOn all that the reply depends on beside the store; must be JSON
 */
export function remembering<Input, Named extends object, Reply extends object>(
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
 * Replies that are asked for again and again, each until anything is stored that a reply can rest on, by whichever process.
 * The store is asked for its version after each request came, so nobody gets what was true before he asked.
 */
export class RememberedReplies implements Replies {
  readonly #states: StoreStates
  /** The longest unused first. */
  readonly #replies = new Map<string, Remembered>()
  #length = 0

  constructor(states: StoreStates) {
    this.#states = states
  }

  /** The same replies for requests that know what is stored, and make them of no less. */
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
    this.#forget(name)
    const one = known?.version === version ? known : { version, reply: make(), length: 0 }
    this.#replies.set(name, one)
    this.#length += one.length
    try {
      const reply = await one.reply
      if (one !== known) this.#keep(name, one, reply)
      return reply as Reply
    } catch (error) {
      if (this.#replies.get(name) === one) this.#forget(name)
      // Another request was to make it: where its statements ran may be at fault, and a refusal is told to nobody else.
      if (one === known) return make()
      throw error
    }
  }

  #keep(name: string, one: Remembered, reply: object): void {
    const text = keepJson(reply)
    if (this.#replies.get(name) !== one) return
    one.length = text.length
    this.#length += text.length
    for (const oldest of this.#replies.keys()) {
      if (this.#length <= mostLength) return
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    this.#length -= this.#replies.get(name)?.length ?? 0
    this.#replies.delete(name)
  }
}
