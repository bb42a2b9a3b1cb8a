import { LRUCache } from 'lru-cache'
import { countWithNoun } from '../text/numbers.ts'
import { Problem } from './problem.ts'

const windowMs = 60_000
/** Maximum invalid credentials from one address in a minute. */
const mostFailures = 120
const mostAddresses = 10_000

/** Counts invalid credentials by client address. */
export class FailedAttempts {
  readonly #failures = new LRUCache<string, { count: number }>({
    max: mostAddresses,
    ttl: windowMs,
    ttlResolution: 0,
    perf: { now: () => Date.now() },
  })

  /** @throws Problem `rate-limited` when an address has exceeded the limit */
  refuse(address: string): void {
    const { count = 0 } = this.#failures.get(address) ?? {}
    const left = this.#failures.getRemainingTTL(address)
    if (count >= mostFailures && left > 0) throw tooMany(Math.ceil(left / 1_000))
  }

  note(address: string): void {
    const found = this.#failures.get(address)
    if (found) found.count++
    else this.#failures.set(address, { count: 1 })
  }
}

const tooMany = (retryAfterSeconds: number) =>
  new Problem(
    'rate-limited',
    `Too many credentials that do not hold came from this address. Try again in ${countWithNoun(retryAfterSeconds, 'second')}.`,
    { retryAfterSeconds },
  )
