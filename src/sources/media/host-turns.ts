/** Limits concurrent requests to the same host; further ones wait for their turn. */
export class HostTurns {
  readonly #atATime: number
  readonly #busy = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(atATime: number) {
    this.#atATime = atATime
  }

  /** @throws the signal's reason when it aborts before the turn has come */
  async within<T>(host: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#turn(host, signal)
    try {
      return await act()
    } finally {
      this.#next(host)
    }
  }

  async #turn(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const busy = this.#busy.get(host) ?? 0
    if (busy < this.#atATime) {
      this.#busy.set(host, busy + 1)
      return
    }
    const queue = this.#waiting.get(host) ?? []
    this.#waiting.set(host, queue)
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(enter), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(enter)
    })
  }

  /** Hands the turn to the longest waiting request, or frees it. */
  #next(host: string): void {
    const next = this.#waiting.get(host)?.shift()
    if (next) {
      next()
      return
    }
    this.#waiting.delete(host)
    const busy = (this.#busy.get(host) ?? 1) - 1
    if (busy === 0) this.#busy.delete(host)
    else this.#busy.set(host, busy)
  }
}
