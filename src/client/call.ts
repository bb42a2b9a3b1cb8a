import type { WorkState } from './failures.ts'
import type { Operations, Tool } from './operation-types.ts'
import type { Arguments } from './request.ts'
import { routes } from './routes.ts'
import type { Transport } from './transport.ts'
import { untilEnded, type WaitOptions } from './work.ts'

/** What can be said of one call beside its arguments. */
export interface CallOptions {
  /** Ends the call, wherever it is: on its way, waiting for a further attempt, between two pages, waiting for work. */
  signal?: AbortSignal
}

/** A call about a list: its promise holds one page, iterating goes through the items of this page and all after it. */
export interface ListCall<Reply, Item> extends Promise<Reply>, AsyncIterable<Item, void, void> {
  /** The replies themselves, page after page. A reply's `nextCursor`, as `cursor` of a call, is where to go on later. */
  pages(): AsyncGenerator<Reply, void, void>
}

/** A call that starts work: its promise holds the state in which the work was accepted. */
export interface WorkCall<Work> extends Promise<Work> {
  /**
   * Waits for the work to end, and answers its last state: `succeeded`, or `partial` with something left out.
   * @throws WorkNotDone when it failed, or is no longer shown
   */
  ended(options?: WaitOptions<Work>): Promise<Work>
}

/** A call of an operation chosen at run time: what it does not have, it refuses when asked. */
export type AnyCall = ListCall<unknown, unknown> & WorkCall<WorkState>

/** What calling an operation gives. */
export type CallOf<T extends Tool> = Operations[T]['accepts'] extends true
  ? WorkCall<Operations[T]['reply']>
  : [Operations[T]['item']] extends [never]
    ? Promise<Operations[T]['reply']>
    : ListCall<Operations[T]['reply'], Operations[T]['item']>

/**
 * One call, sent when it is made, however its answer is taken: awaited, iterated or waited for. The pages after the first
 * are asked for when the one before has been consumed, so that no more than one is ever held.
 */
export class Call implements Promise<unknown>, AsyncIterable<unknown, void, void> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #transport: Transport
  readonly #tool: Tool
  readonly #given: Arguments
  readonly #signal: AbortSignal | undefined
  readonly #reply: Promise<unknown>

  constructor(transport: Transport, tool: Tool, given: Arguments, { signal }: CallOptions) {
    this.#transport = transport
    this.#tool = tool
    this.#given = given
    this.#signal = signal
    this.#reply = transport.send(tool, given, signal)
  }

  async *pages(): AsyncGenerator<unknown, void, void> {
    let reply = await this.#reply
    const inCircle = circles()
    for (;;) {
      const { nextCursor } = reply as { nextCursor?: string | null }
      yield reply
      if (!routes[this.#tool].paged || !nextCursor) return
      if (inCircle(nextCursor)) throw this.#transport.inCircle()
      reply = await this.#transport.send(this.#tool, { ...this.#given, cursor: nextCursor }, this.#signal)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, void> {
    const { list } = routes[this.#tool] ?? {}
    if (!list) throw new TypeError(`${this.#tool} answers no list to go through.`)
    for await (const page of this.pages())
      for (const item of (page as Record<string, readonly unknown[]>)[list] ?? []) {
        this.#signal?.throwIfAborted()
        yield item
      }
  }

  async ended(options: WaitOptions = {}): Promise<unknown> {
    const accepted = (await this.#reply) as WorkState
    const signals = [this.#signal, options.signal].filter((signal) => signal !== undefined)
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
    return untilEnded((...call) => this.#transport.send(...call), this.#tool, this.#given, accepted, {
      ...options,
      ...(signal ? { signal } : {}),
    })
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise of its reply
  then<A = unknown, B = never>(
    fulfilled?: ((value: unknown) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#reply.then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<unknown> {
    return this.#reply.catch(rejected)
  }

  finally(settled?: (() => void) | null): Promise<unknown> {
    return this.#reply.finally(settled)
  }
}

/**
 * Tells whether cursors go round in a circle, however long, while remembering one of them (Brent, "An improved Monte Carlo
 * factorization algorithm", 1980).
 */
function circles(): (cursor: string) => boolean {
  let remembered: string | undefined
  let since = 0
  let until = 1
  return (cursor) => {
    if (cursor === remembered) return true
    since += 1
    if (since === until) {
      remembered = cursor
      since = 0
      until *= 2
    }
    return false
  }
}
