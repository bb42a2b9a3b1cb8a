import { storeVersion } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'
import { preparing } from '../storage/prepared.ts'
import { keepJson } from './reply-json.ts'

/** Characters of JSON that a process remembers at most. */
const mostLength = 32_000_000

interface Remembered {
  version: string
  reply: Promise<object>
  length: number
}

/**
 * Replies that are asked for again and again, each until anything is stored that a reply can rest on, by whichever process.
 * The store is asked for its version after each request came, so nobody gets what was true before he asked. Requests that come
 * while it is being asked share the next answer.
 */
export class RememberedReplies {
  readonly #db: Database
  /** The longest unused first. */
  readonly #replies = new Map<string, Remembered>()
  #length = 0
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<string> | undefined

  constructor(db: Database) {
    this.#db = preparing(db)
  }

  /**
   * @param name of the reply: its operation, its arguments and whom it is for
   * @param make what it throws is thrown, and remembered by nobody; what it returns must not be changed
   */
  async get<Reply extends object>(name: string, make: () => Promise<Reply>): Promise<Reply> {
    const version = await this.#version()
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

  #version(): Promise<string> {
    this.#next ??= this.#asking.then(() => {
      const asking = storeVersion(this.#db)
      this.#asking = asking.catch(() => {})
      this.#next = undefined
      return asking
    })
    return this.#next
  }
}
