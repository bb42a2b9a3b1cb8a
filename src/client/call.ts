import type { WorkState } from './failures.ts'
import type { Operations, Tool } from './operation-types.ts'
import type { Arguments } from './request.ts'
import { routes } from './routes.ts'
import type { Transport } from './transport.ts'
import { type WaitOptions, waitUntilEnded } from './work.ts'

/** Options of one call besides its arguments. */
export interface CallOptions {
  /** Aborts the call at any point: in flight, waiting for a retry, between two pages, waiting for work. */
  signal?: AbortSignal
  /**
   * `Idempotency-Key` of an operation sent by POST; each call has a new one by default. A call with the key of an earlier
   * one repeats it without performing its changes again.
   */
  idempotencyKey?: string
}

/** A call of a list operation: awaiting it gives one page; iterating gives the items of this page and all after it. */
export interface ListCall<Reply, Item> extends Promise<Reply>, AsyncIterable<Item, void, void> {
  /** The replies, page by page. To continue later, pass a reply's `nextCursor` as the argument `cursor`. */
  pages(): AsyncGenerator<Reply, void, void>
}

/** A call that starts work: awaiting it gives the state in which the work was accepted. */
export interface WorkCall<Work> extends Promise<Work> {
  /**
   * Waits for the work to end, and resolves with its last state: `succeeded`, or `partial` with something missing.
   * @throws WorkNotDone when it failed, or is no longer available
   */
  ended(options?: WaitOptions<Work>): Promise<Work>
}

/** A call of an operation chosen at run time: what the operation does not support throws when used. */
export type AnyCall = ListCall<unknown, unknown> & WorkCall<WorkState>

/** The return type of a call. */
export type CallOf<T extends Tool> = Operations[T]['accepts'] extends true
  ? WorkCall<Operations[T]['reply']>
  : [Operations[T]['item']] extends [never]
    ? Promise<Operations[T]['reply']>
    : ListCall<Operations[T]['reply'], Operations[T]['item']>

/**
 * One call, sent when it is created, however its result is used: awaited, iterated or waited for. A further page is
 * requested once the one before has been consumed, so that no more than one is held.
 */
export class Call implements Promise<unknown>, AsyncIterable<unknown, void, void> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #transport: Transport
  readonly #tool: Tool
  readonly #given: Arguments
  readonly #signal: AbortSignal | undefined
  readonly #reply: Promise<unknown>

  constructor(transport: Transport, tool: Tool, given: Arguments, { signal, idempotencyKey }: CallOptions) {
    this.#transport = transport
    this.#tool = tool
    this.#given = given
    this.#signal = signal
    this.#reply = transport.send(tool, given, signal, idempotencyKey)
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
    return waitUntilEnded((...call) => this.#transport.send(...call), this.#tool, this.#given, accepted, {
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
 * Detects cycles of cursors of any length while storing only one of them (Brent, "An improved Monte Carlo factorization
 * algorithm", 1980).
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
