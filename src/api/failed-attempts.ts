import { counted } from '../text/figures.ts'
import { Problem } from './problem.ts'

const windowMs = 60_000
/** Maximum invalid credentials from one address in a minute. */
const mostFailures = 120
const mostAddresses = 10_000

/** Counts invalid credentials by client address. */
export class FailedAttempts {
  readonly #failures = new Map<string, { count: number; until: number }>()

  /** @throws Problem `rate-limited` when an address has exceeded the limit */
  refuse(address: string): void {
    const found = this.#failures.get(address)
    if (!found || found.count < mostFailures) return
    const left = found.until - Date.now()
    if (left > 0) throw tooMany(Math.ceil(left / 1_000))
    this.#failures.delete(address)
  }

  note(address: string): void {
    const now = Date.now()
    const found = this.#failures.get(address)
    if (found && found.until > now) {
      found.count++
      return
    }
    this.#failures.delete(address)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size >= mostAddresses && oldest !== undefined) this.#failures.delete(oldest)
    this.#failures.set(address, { count: 1, until: now + windowMs })
  }
}

const tooMany = (retryAfterSeconds: number) =>
  new Problem(
    'rate-limited',
    `Too many credentials that do not hold came from this address. Try again in ${counted(retryAfterSeconds, 'second')}.`,
    { retryAfterSeconds },
  )
