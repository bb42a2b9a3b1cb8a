/** A revoked secret stops working within this time; a frequently used one costs one query in it. */
const validMs = 1_000
/** An invalid secret never becomes valid: they are unique and random. */
const invalidMs = 60_000
const mostRemembered = 10_000

/** Look-ups of secrets by their hash, remembered for a moment. */
export class RememberedSecrets<Found> {
  readonly #lookUp: (hash: Buffer) => Promise<Found | undefined>
  readonly #valid = new Map<string, { found: Promise<Found | undefined>; until: number }>()
  /** The time until which an invalid secret is not looked up again. */
  readonly #invalid = new Map<string, number>()

  constructor(lookUp: (hash: Buffer) => Promise<Found | undefined>) {
    this.#lookUp = lookUp
  }

  /** Whether the secret was in use recently. */
  has(hash: string): boolean {
    return this.#valid.has(hash)
  }

  /** Whether the secret was found invalid a moment ago. */
  isKnownInvalid(hash: string): boolean {
    return (this.#invalid.get(hash) ?? 0) > Date.now()
  }

  /** @param hash in base64url */
  async get(hash: string): Promise<Found | undefined> {
    if (this.isKnownInvalid(hash)) return undefined
    const known = this.#valid.get(hash)
    if (known && known.until > Date.now()) return known.found
    const looking = this.#lookUp(Buffer.from(hash, 'base64url'))
    addToCache(this.#valid, hash, { found: looking, until: Date.now() + validMs })
    const found = await looking.catch((error: unknown) => {
      this.#valid.delete(hash)
      throw error
    })
    if (!found) this.forget(hash)
    return found
  }

  /** Forgets a secret that is no longer valid. */
  forget(hash: string): void {
    this.#valid.delete(hash)
    addToCache(this.#invalid, hash, Date.now() + invalidMs)
  }
}

/** Adds an entry to a cache, and evicts its oldest one. */
export function addToCache<Name, Value>(memory: Map<Name, Value>, name: Name, value: Value): void {
  const [oldest] = memory.size >= mostRemembered ? memory.keys() : []
  if (oldest !== undefined) memory.delete(oldest)
  memory.delete(name)
  memory.set(name, value)
}
